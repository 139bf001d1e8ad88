import { setTimeout } from 'node:timers/promises';
import { Metadata, status, type ServerDuplexStream, type ServerErrorResponse } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { Backing } from './backing.js';
import type { Leader } from './faults.js';
import { appendedResponse, errorResponse, proposedEvent, streamOf, uuidText, wrongRevisionResponse } from './messages.js';

/** EventStoreDB's default limit for one append, in bytes. */
const MAX_APPEND_BYTES = 1_048_576;

export type BatchAppendCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** Returns the error of a node that is not the leader, or null if this server is the leader. */
export const notLeader = ({ faults: { leader } }: Backing): ServerErrorResponse | null => (leader === null ? null : notLeaderError(leader));

const notLeaderError = (leader: Leader | 'unknown'): ServerErrorResponse => {
  const metadata = new Metadata();
  metadata.set('exception', 'not-leader');
  if (leader !== 'unknown') {
    metadata.set('leader-endpoint-host', leader.host);
    metadata.set('leader-endpoint-port', String(leader.port));
  }
  return Object.assign(new Error('Leader info available'), { code: status.NOT_FOUND, details: 'Leader info available', metadata });
};

/** An append in progress: its options and the events received so far. */
type IncomingAppend = { readonly options: BatchAppendReq.Options; readonly proposed: BatchAppendReq.ProposedMessage[] };

/**
 * Serves `BatchAppend`: starts appends in order, writes them concurrently and confirms each when it is done,
 * unless a test has set a fault for it. Ignores deadlines, because the client sends none.
 */
export const serveBatchAppend = (backing: Backing, call: BatchAppendCall): void => {
  const incoming = new Map<string, IncomingAppend>();
  const writes = new Set<Promise<void>>();
  let isEnded = false;
  const fail = (error: object): void => {
    if (isEnded) return;
    isEnded = true;
    call.emit('error', error);
  };
  const receive = (request: BatchAppendReq): void => {
    const id = uuidText(request.getCorrelationId());
    const append = startOrContinue(incoming, id, request);
    if (!append) return;
    const respond = (response: BatchAppendResp): void => {
      response.setCorrelationId(request.getCorrelationId());
      response.setStreamIdentifier(append.options.getStreamIdentifier());
      if (!isEnded) call.write(response);
    };
    const rejection = rejectIfTooLarge(append) ?? rejectIfNotJson(append);
    if (!rejection && !request.getIsFinal()) return;
    incoming.delete(id);
    if (rejection) return respond(rejection);
    const leader = call.metadata.get('requires-leader').includes('true') ? backing.faults.leader : null;
    if (leader === 'unknown') return respond(errorResponse(status.OK, 'No leader info available in response'));
    // A follower that knows the leader ends the whole call, so all appends of the call fail.
    if (leader) return fail(notLeaderError(leader));
    const writing = write(backing, append, respond).catch((error: unknown) =>
      fail({ code: status.UNAVAILABLE, details: error instanceof Error ? error.message : String(error) }),
    );
    writes.add(writing);
    void writing.finally(() => writes.delete(writing));
  };
  call.on('data', receive);
  call.on('end', () => void Promise.all(writes).then(() => isEnded || call.end()));
  // When a client disconnects, its complete appends are still written.
  call.on('cancelled', () => (isEnded = true));
  call.on('error', () => (isEnded = true));
};

/** Returns the append that a message starts or continues. Returns null if that append was already rejected. */
const startOrContinue = (arriving: Map<string, IncomingAppend>, id: string, request: BatchAppendReq): IncomingAppend | null => {
  const options = request.getOptions();
  if (options && !arriving.has(id)) arriving.set(id, { options, proposed: [] });
  const append = arriving.get(id);
  append?.proposed.push(...request.getProposedMessagesList());
  return append ?? null;
};

const write = async (
  backing: Backing,
  { options, proposed }: IncomingAppend,
  respond: (response: BatchAppendResp) => void,
): Promise<void> => {
  const fault = backing.faults.nextAppends.shift();
  if (fault === 'cut before commit') return backing.cutConnections();
  if (fault === 'silence before commit') return;
  if (fault === 'busy') return respond(errorResponse(status.OK, 'Server Is Busy'));
  if (fault === 'access denied')
    return respond(errorResponse(status.PERMISSION_DENIED, 'AccessDenied', [new shared.AccessDenied(), 'event_store.client.AccessDenied']));
  const stream = streamOf(options.getStreamIdentifier());
  const events = proposed.map(proposedEvent);
  const response = await runOnce(backing, stream, events, () => append(backing, stream, options, events));
  if (fault === 'cut after commit') return backing.cutConnections();
  if (fault === 'silence after commit') return;
  if (fault === 'response held back') return backing.faults.holdResponse(() => respond(response ?? timedOut()));
  respond(response ?? timedOut());
};

/** The real server's response to an append that was not acknowledged within its write timeout. */
const timedOut = (): BatchAppendResp =>
  errorResponse(status.DEADLINE_EXCEEDED, 'Timeout', [new shared.Timeout(), 'event_store.client.Timeout']);

/**
 * Runs an append. The real server drops an append if an earlier append of the same events is not yet
 * acknowledged. For such a repeated append, this function waits for the write timeout and returns null.
 */
const runOnce = async <T>(
  { inFlight, faults }: Backing,
  stream: string,
  events: readonly EncodedEvent[],
  work: () => Promise<T>,
): Promise<T | null> => {
  const which = [stream, ...events.map(({ id }) => id)].join(' ');
  if (inFlight.has(which)) {
    await setTimeout(faults.writeTimeout, undefined, { ref: false });
    return null;
  }
  inFlight.add(which);
  try {
    return await work();
  } finally {
    inFlight.delete(which);
  }
};

/** Appends to the backing store. An append without an expected revision goes to the end of the stream. */
const append = async (
  { store }: Backing,
  stream: string,
  options: BatchAppendReq.Options,
  events: readonly EncodedEvent[],
): Promise<BatchAppendResp> => {
  for (let wanted = expectedOf(options); ;) {
    const expected = wanted ?? (await store.readStream(stream)).at(-1)?.revision ?? 'none';
    const result = await store.append(stream, expected, events);
    if (result.kind === 'appended') return appendedResponse(result.revision, result.position);
    if (wanted !== null) return wrongRevisionResponse(expected, result.actual);
    wanted = null;
  }
};

const expectedOf = (options: BatchAppendReq.Options): ExpectedRevision | null => {
  if (options.hasNoStream()) return 'none';
  return options.hasStreamPosition() ? Number(options.getStreamPosition()) : null;
};

/** Rejects an append if its events together are too large. Counts their size on disk. */
const rejectIfTooLarge = ({ proposed }: IncomingAppend): BatchAppendResp | null => {
  const bytes = proposed.reduce((sum, message) => {
    const type = message.getMetadataMap().get('type') ?? '';
    return sum + message.getData_asU8().length + message.getCustomMetadata_asU8().length + 2 * type.length;
  }, 0);
  if (bytes <= MAX_APPEND_BYTES) return null;
  const details = new shared.MaximumAppendSizeExceeded();
  details.setMaxappendsize(MAX_APPEND_BYTES);
  return errorResponse(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', [details, 'event_store.client.MaximumAppendSizeExceeded']);
};

/** Rejects events that are not JSON. The real server stores any bytes, but this server stores only text. */
const rejectIfNotJson = ({ proposed }: IncomingAppend): BatchAppendResp | null => {
  if (proposed.every((message) => message.getMetadataMap().get('content-type') === 'application/json')) return null;
  const details = new shared.BadRequest();
  details.setMessage('this server stores JSON only');
  return errorResponse(status.INVALID_ARGUMENT, 'BadRequest', [details, 'event_store.client.BadRequest']);
};
