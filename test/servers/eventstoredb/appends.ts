import { setTimeout } from 'node:timers/promises';
import { Metadata, status, type ServerDuplexStream, type ServerErrorResponse } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { Backing } from './backing.js';
import type { Leader } from './faults.js';
import { appendedAnswer, errorAnswer, proposedEvent, streamOf, uuidText, wrongRevisionAnswer } from './messages.js';

/** What EventStoreDB takes in one append, in bytes, unless it is configured otherwise. */
const MOST_BYTES = 1_048_576;

export type BatchAppendCall = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/** Another node leads, in the protocol's words. */
export const notLeader = ({ faults: { leader } }: Backing): ServerErrorResponse | null => (leader === null ? null : ledBy(leader));

const ledBy = (leader: Leader | 'unknown'): ServerErrorResponse => {
  const metadata = new Metadata();
  metadata.set('exception', 'not-leader');
  if (leader !== 'unknown') {
    metadata.set('leader-endpoint-host', leader.host);
    metadata.set('leader-endpoint-port', String(leader.port));
  }
  return Object.assign(new Error('Leader info available'), { code: status.NOT_FOUND, details: 'Leader info available', metadata });
};

/** An append whose messages are arriving: its options and what it proposes so far. */
type Arriving = { readonly options: BatchAppendReq.Options; readonly proposed: BatchAppendReq.ProposedMessage[] };

/**
 * Serves `BatchAppend`: appends arrive in order, are written side by side and are answered as they are done, unless a fault
 * is due. Deadlines are not looked at: nobody here sends one.
 */
export const serveBatchAppend = (backing: Backing, call: BatchAppendCall): void => {
  const arriving = new Map<string, Arriving>();
  const underWay = new Set<Promise<void>>();
  let isOver = false;
  const fail = (error: object): void => {
    if (isOver) return;
    isOver = true;
    call.emit('error', error);
  };
  const receive = (request: BatchAppendReq): void => {
    const id = uuidText(request.getCorrelationId());
    const append = begun(arriving, id, request);
    if (!append) return;
    const answer = (response: BatchAppendResp): void => {
      response.setCorrelationId(request.getCorrelationId());
      response.setStreamIdentifier(append.options.getStreamIdentifier());
      if (!isOver) call.write(response);
    };
    const refusal = tooBig(append) ?? noJson(append);
    if (!refusal && !request.getIsFinal()) return;
    arriving.delete(id);
    if (refusal) return answer(refusal);
    const leader = call.metadata.get('requires-leader').includes('true') ? backing.faults.leader : null;
    if (leader === 'unknown') return answer(errorAnswer(status.OK, 'No leader info available in response'));
    // A node that knows the leader ends the whole call, whatever else is under way on it.
    if (leader) return fail(ledBy(leader));
    const writing = write(backing, append, answer).catch((error: unknown) =>
      fail({ code: status.UNAVAILABLE, details: error instanceof Error ? error.message : String(error) }),
    );
    underWay.add(writing);
    void writing.finally(() => underWay.delete(writing));
  };
  call.on('data', receive);
  call.on('end', () => void Promise.all(underWay).then(() => isOver || call.end()));
  // A client that goes away ends its call; what it had sent whole is written.
  call.on('cancelled', () => (isOver = true));
  call.on('error', () => (isOver = true));
};

/** The append that a message begins or goes on with; null when it goes on with one that was refused. */
const begun = (arriving: Map<string, Arriving>, id: string, request: BatchAppendReq): Arriving | null => {
  const options = request.getOptions();
  if (options && !arriving.has(id)) arriving.set(id, { options, proposed: [] });
  const append = arriving.get(id);
  append?.proposed.push(...request.getProposedMessagesList());
  return append ?? null;
};

const write = async (backing: Backing, { options, proposed }: Arriving, answer: (response: BatchAppendResp) => void): Promise<void> => {
  const fault = backing.faults.nextAppends.shift();
  if (fault === 'cut before commit') return backing.cutConnections();
  if (fault === 'silence before commit') return;
  if (fault === 'busy') return answer(errorAnswer(status.OK, 'Server Is Busy'));
  if (fault === 'access denied')
    return answer(errorAnswer(status.PERMISSION_DENIED, 'AccessDenied', [new shared.AccessDenied(), 'event_store.client.AccessDenied']));
  const stream = streamOf(options.getStreamIdentifier());
  const events = proposed.map(proposedEvent);
  const response = await once(backing, stream, events, () => append(backing, stream, options, events));
  if (fault === 'cut after commit') return backing.cutConnections();
  if (fault === 'silence after commit') return;
  if (fault === 'answer held back') return backing.faults.holdBack(() => answer(response ?? timedOut()));
  answer(response ?? timedOut());
};

/** How the real server says that an append was not acknowledged within its write timeout. */
const timedOut = (): BatchAppendResp =>
  errorAnswer(status.DEADLINE_EXCEEDED, 'Timeout', [new shared.Timeout(), 'event_store.client.Timeout']);

/**
 * Does an append. A second one of the same events, while the first is not acknowledged yet, is dropped by the real server:
 * null, once its write timeout is over.
 */
const once = async <T>(
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

/** Appends to the store behind; an append without an expectation goes where the stream ends. */
const append = async (
  { store }: Backing,
  stream: string,
  options: BatchAppendReq.Options,
  events: readonly EncodedEvent[],
): Promise<BatchAppendResp> => {
  for (let wanted = expectedOf(options); ;) {
    const expected = wanted ?? (await store.readStream(stream)).at(-1)?.revision ?? 'none';
    const result = await store.append(stream, expected, events);
    if (result.kind === 'appended') return appendedAnswer(result.revision, result.position);
    if (wanted !== null) return wrongRevisionAnswer(expected, result.actual);
    wanted = null;
  }
};

const expectedOf = (options: BatchAppendReq.Options): ExpectedRevision | null => {
  if (options.hasNoStream()) return 'none';
  return options.hasStreamPosition() ? Number(options.getStreamPosition()) : null;
};

/** The size of an append is that of its events on the disk. */
const tooBig = ({ proposed }: Arriving): BatchAppendResp | null => {
  const bytes = proposed.reduce((sum, message) => {
    const type = message.getMetadataMap().get('type') ?? '';
    return sum + message.getData_asU8().length + message.getCustomMetadata_asU8().length + 2 * type.length;
  }, 0);
  if (bytes <= MOST_BYTES) return null;
  const details = new shared.MaximumAppendSizeExceeded();
  details.setMaxappendsize(MOST_BYTES);
  return errorAnswer(status.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', [details, 'event_store.client.MaximumAppendSizeExceeded']);
};

/** The real server keeps any bytes; this one has room for texts only. */
const noJson = ({ proposed }: Arriving): BatchAppendResp | null => {
  if (proposed.every((message) => message.getMetadataMap().get('content-type') === 'application/json')) return null;
  const details = new shared.BadRequest();
  details.setMessage('this server keeps JSON only');
  return errorAnswer(status.INVALID_ARGUMENT, 'BadRequest', [details, 'event_store.client.BadRequest']);
};
