import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { identifierOf } from '../connection/wire.js';

const { ReadReq: ReadRequest } = streams;
const { Options } = ReadRequest;
const { FilterOptions, ReadDirection } = Options;

/** Which streams are the store's own: those with one of these prefixes, or all but the server's (`$...`). */
export type OwnStreams = readonly string[] | 'all-but-system';
/** A place in $all, in the server's words. */
export type Place = { readonly commit: string; readonly prepare: string };

const EXCLUDE_SYSTEM = '^[^$]';
/** A subscription hears where it stands at least every so many events that are not its own. */
const CHECKPOINT_EVERY = 1_000;

/** The place of a position: what one write commits is committed where it was prepared. */
export const placeOf = (position: number): Place => ({ commit: String(position), prepare: String(position) });

/** Reads `limit` events of a stream from `revision` on. */
export const readForwards = (stream: string, revision: number, limit: number): ReadReq => {
  const from = new Options.StreamOptions();
  from.setStreamIdentifier(identifierOf(stream));
  from.setRevision(String(revision));
  const options = baseOptions();
  options.setStream(from);
  options.setNoFilter(new shared.Empty());
  options.setCount(String(limit));
  return requestOf(options);
};

/** Reads the last event of a stream. */
export const readLast = (stream: string): ReadReq => {
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

/** Reads `limit` own events of $all from a position on, the one at it included. */
export const readAllForwards = (own: OwnStreams, position: number, limit: number): ReadReq => {
  const options = baseOptions();
  options.setAll(allFrom(position === 0 ? null : placeOf(position)));
  options.setFilter(filterOf(own));
  options.setCount(String(limit));
  return requestOf(options);
};

/** Reads the last own event of $all. */
export const readAllLast = (own: OwnStreams): ReadReq => {
  const end = new Options.AllOptions();
  end.setEnd(new shared.Empty());
  const options = baseOptions();
  options.setAll(end);
  options.setReadDirection(ReadDirection.BACKWARDS);
  options.setFilter(filterOf(own));
  options.setCount('1');
  return requestOf(options);
};

/** Follows the own events of $all after a place; null is the beginning. */
export const followAll = (own: OwnStreams, after: Place | null): ReadReq => {
  const options = baseOptions();
  options.setAll(allFrom(after));
  options.setFilter(filterOf(own));
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

const allFrom = (place: Place | null): InstanceType<typeof Options.AllOptions> => {
  const from = new Options.AllOptions();
  if (place === null) {
    from.setStart(new shared.Empty());
    return from;
  }
  const position = new Options.Position();
  position.setCommitPosition(place.commit);
  position.setPreparePosition(place.prepare);
  from.setPosition(position);
  return from;
};

const filterOf = (own: OwnStreams): InstanceType<typeof FilterOptions> => {
  const expression = new FilterOptions.Expression();
  if (own === 'all-but-system') expression.setRegex(EXCLUDE_SYSTEM);
  else expression.setPrefixList([...own]);
  const filter = new FilterOptions();
  filter.setStreamIdentifier(expression);
  filter.setMax(CHECKPOINT_EVERY);
  filter.setCheckpointintervalmultiplier(1);
  return filter;
};
