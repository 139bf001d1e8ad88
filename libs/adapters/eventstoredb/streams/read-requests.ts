import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsProtocol from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { identifierOf } from '../connection/wire.js';
import type { StreamFilter } from './own-streams.js';

const { ReadReq: ReadRequest } = streamsProtocol;
const { Options } = ReadRequest;
const { FilterOptions, ReadDirection } = Options;

/** A position in $all, the stream of all events, as the server encodes it. */
export type LogPosition = { readonly commit: string; readonly prepare: string };

/** Matches the names of all streams except those of the server (`$...`). */
const EXCLUDE_SYSTEM = '^[^$]';
/**
 * After at most this many events that the filter excludes, the server sends a checkpoint: a position without an event. A
 * subscription that reconnects starts at the checkpoint, and does not read these events again.
 */
const CHECKPOINT_EVERY = 1_000;

/** Converts a position of this store to the server's form. The commit and prepare positions of an event are equal. */
export const logPositionOf = (position: number): LogPosition => ({ commit: String(position), prepare: String(position) });

/** Creates a request for `limit` events of a stream from `revision`. */
export const createStreamRequest = (stream: string, revision: number, limit: number): ReadReq => {
  const from = new Options.StreamOptions();
  from.setStreamIdentifier(identifierOf(stream));
  from.setRevision(String(revision));
  const options = baseOptions();
  options.setStream(from);
  options.setNoFilter(new shared.Empty());
  options.setCount(String(limit));
  return requestOf(options);
};

/** Creates a request for the last event of a stream. */
export const createLastEventRequest = (stream: string): ReadReq => {
  const from = new Options.StreamOptions();
  from.setStreamIdentifier(identifierOf(stream));
  from.setEnd(new shared.Empty());
  const options = baseOptions();
  options.setStream(from);
  options.setReadDirection(ReadDirection.BACKWARDS);
  options.setNoFilter(new shared.Empty());
  options.setCount('1');
  return requestOf(options);
};

/** Creates a request for `limit` events of the store's streams from a position, inclusive. */
export const createLogRequest = (filter: StreamFilter, position: number, limit: number): ReadReq => {
  const options = baseOptions();
  options.setAll(allFrom(position === 0 ? null : logPositionOf(position)));
  options.setFilter(filterOf(filter));
  options.setCount(String(limit));
  return requestOf(options);
};

/** Creates a request for the last event of the store's streams. */
export const createLastOfLogRequest = (filter: StreamFilter): ReadReq => {
  const end = new Options.AllOptions();
  end.setEnd(new shared.Empty());
  const options = baseOptions();
  options.setAll(end);
  options.setReadDirection(ReadDirection.BACKWARDS);
  options.setFilter(filterOf(filter));
  options.setCount('1');
  return requestOf(options);
};

/** Creates a request to subscribe to the store's streams after a position, or from the beginning for null. */
export const createSubscriptionRequest = (filter: StreamFilter, after: LogPosition | null): ReadReq => {
  const options = baseOptions();
  options.setAll(allFrom(after));
  options.setFilter(filterOf(filter));
  options.setSubscription(new Options.SubscriptionOptions());
  return requestOf(options);
};

const requestOf = (options: InstanceType<typeof Options>): ReadReq => {
  const request = new ReadRequest();
  request.setOptions(options);
  return request;
};

const baseOptions = (): InstanceType<typeof Options> => {
  const uuids = new Options.UUIDOption();
  uuids.setString(new shared.Empty());
  const options = new Options();
  options.setUuidOption(uuids);
  options.setResolveLinks(false);
  options.setReadDirection(ReadDirection.FORWARDS);
  return options;
};

/**
 * Starts at a position, or at the beginning for null. A read includes the event at the position, and a subscription
 * excludes it.
 */
const allFrom = (from: LogPosition | null): InstanceType<typeof Options.AllOptions> => {
  const all = new Options.AllOptions();
  if (from === null) {
    all.setStart(new shared.Empty());
    return all;
  }
  const position = new Options.Position();
  position.setCommitPosition(from.commit);
  position.setPreparePosition(from.prepare);
  all.setPosition(position);
  return all;
};

const filterOf = (streams: StreamFilter): InstanceType<typeof FilterOptions> => {
  const expression = new FilterOptions.Expression();
  if (streams === 'all-but-system') expression.setRegex(EXCLUDE_SYSTEM);
  else expression.setPrefixList([...streams]);
  const filter = new FilterOptions();
  filter.setStreamIdentifier(expression);
  filter.setMax(CHECKPOINT_EVERY);
  filter.setCheckpointintervalmultiplier(1);
  return filter;
};
