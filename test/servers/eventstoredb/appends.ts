import { setTimeout } from 'node:timers/promises';
import { Metadata, status, type ServerErrorResponse, type ServerReadableStream, type sendUnaryData } from '@grpc/grpc-js';
import type { AppendReq, AppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { EncodedEvent, ExpectedRevision } from '../../../libs/eventsourcing/event-store.port.js';
import type { Backing } from './backing.js';
import { appendedAnswer, proposedEvent, streamOf, wrongRevisionAnswer } from './messages.js';

/** What EventStoreDB takes in one append, in bytes, unless it is configured otherwise. */
const MOST_BYTES = 1_048_576;

export type AppendCall = ServerReadableStream<AppendReq, AppendResp>;

/** Another node leads, in the protocol's words. */
export const notLeader = ({ faults: { leader } }: Backing): ServerErrorResponse | null => {
  if (leader === null) return null;
  const metadata = new Metadata();
  metadata.set('exception', 'not-leader');
  if (leader !== 'unknown') {
    metadata.set('leader-endpoint-host', leader.host);
    metadata.set('leader-endpoint-port', String(leader.port));
  }
  return Object.assign(new Error('Leader info available'), { code: status.NOT_FOUND, details: 'Leader info available', metadata });
};

/** Serves `Append`: reads the whole request, writes it and answers, unless a fault is due. */
export const serveAppend = (backing: Backing, call: AppendCall, answer: sendUnaryData<AppendResp>): void => {
  const requests: AppendReq[] = [];
  call.on('data', (request: AppendReq) => requests.push(request));
  call.on('end', () => {
    write(backing, call, requests, answer).catch((error: unknown) =>
      answer({ code: status.UNAVAILABLE, details: error instanceof Error ? error.message : String(error) }),
    );
  });
  // A client that goes away ends its call; what it had sent whole is written.
  call.on('error', () => undefined);
};

const write = async (
  backing: Backing,
  call: AppendCall,
  requests: readonly AppendReq[],
  answer: sendUnaryData<AppendResp>,
): Promise<void> => {
  const refusal =
    (call.metadata.get('requires-leader').includes('true') ? notLeader(backing) : null) ?? tooBig(requests) ?? noJson(requests);
  if (refusal) return answer(refusal);
  const fault = backing.faults.nextAppends.shift();
  if (fault === 'cut before commit') return backing.cutConnections();
  const stream = streamOf(requests[0]?.getOptions()?.getStreamIdentifier());
  const events = requests.map(proposedEvent).filter((event) => event !== null);
  const response = await once(backing, stream, events, () => append(backing, stream, requests[0], events));
  if (!response) return answer(TIMED_OUT);
  if (fault === 'cut after commit') return backing.cutConnections();
  if (fault === 'silence after commit') return;
  answer(null, response);
};

/** How the real server says that an append was not acknowledged within its write timeout. */
const TIMED_OUT: ServerErrorResponse = Object.assign(new Error('timed out'), {
  code: status.ABORTED,
  details: 'Operation timed out: Operation timed out',
});

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
  first: AppendReq | undefined,
  events: readonly EncodedEvent[],
): Promise<AppendResp> => {
  for (let wanted = expectedOf(first); ;) {
    const expected = wanted ?? (await store.readStream(stream)).at(-1)?.revision ?? 'none';
    const result = await store.append(stream, expected, events);
    if (result.kind === 'appended') return appendedAnswer(result.revision, result.position);
    if (wanted !== null) return wrongRevisionAnswer(expected, result.actual);
    wanted = null;
  }
};

const expectedOf = (first: AppendReq | undefined): ExpectedRevision | null => {
  const options = first?.getOptions();
  if (options?.hasNoStream()) return 'none';
  return options?.hasRevision() ? Number(options.getRevision()) : null;
};

/** Events whose texts are much smaller are not serialized again to be measured. */
const PLAINLY_SMALL = MOST_BYTES / 2;

const isPlainlySmall = (requests: readonly AppendReq[]): boolean =>
  requests.length < 100 &&
  requests.reduce((sum, request) => {
    const message = request.getProposedMessage();
    return sum + (message ? message.getData_asU8().length + message.getCustomMetadata_asU8().length : 0);
  }, 0) < PLAINLY_SMALL;

const tooBig = (requests: readonly AppendReq[]): ServerErrorResponse | null => {
  if (isPlainlySmall(requests)) return null;
  const bytes = requests.reduce((sum, request) => sum + request.serializeBinary().length, 0);
  if (bytes <= MOST_BYTES) return null;
  const metadata = new Metadata();
  metadata.set('exception', 'maximum-append-size-exceeded');
  metadata.set('maximum-append-size', String(MOST_BYTES));
  return Object.assign(new Error('too big'), { code: status.INVALID_ARGUMENT, details: 'Maximum Append Size Exceeded', metadata });
};

/** The real server keeps any bytes; this one has room for texts only. */
const noJson = (requests: readonly AppendReq[]): ServerErrorResponse | null => {
  const types = requests.map((request) => request.getProposedMessage()?.getMetadataMap().get('content-type'));
  if (types.every((type) => type === undefined || type === 'application/json')) return null;
  return Object.assign(new Error('no JSON'), { code: status.INVALID_ARGUMENT, details: 'This server keeps JSON only' });
};
