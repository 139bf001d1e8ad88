import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { status, type ServerWritableStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { notLeader } from './appends.js';
import type { Backing } from './backing.js';
import { caughtUp, checkpoint, confirmation, eventResponse, streamNotFound, streamOf } from './messages.js';
import { lastBefore, lastUpTo } from './positions.js';

const { ReadDirection } = streams.ReadReq.Options;
const PAGE = 1_000;

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;
type Options = NonNullable<ReturnType<ReadReq['getOptions']>>;

/** Serves `Read`, for a stream or for $all: pages forwards and backwards, and subscriptions. */
export const serveRead = (backing: Backing, call: ReadCall): void => {
  const options = call.request.getOptions();
  const rejection = call.metadata.get('requires-leader').includes('true') ? notLeader(backing) : null;
  if (rejection || !options) return void call.emit('error', rejection ?? { code: status.INVALID_ARGUMENT, details: 'no options' });
  const served = options.hasSubscription() ? subscribe(backing, call, options) : sendAll(call, read(backing, options));
  served.catch((error: unknown) => {
    call.emit('error', { code: status.UNAVAILABLE, details: error instanceof Error ? error.message : String(error) });
  });
};

/** Sends all responses and ends the call. */
const sendAll = async (call: ReadCall, responses: AsyncIterable<ReadResp>): Promise<void> => {
  for await (const message of responses) await send(call, message);
  call.end();
};

/** Sends a message. If the client reads slowly, waits until it can receive more. */
const send = async (call: ReadCall, message: ReadResp): Promise<void> => {
  if (call.cancelled || call.write(message)) return;
  await Promise.race([once(call, 'drain'), once(call, 'cancelled')]);
};

async function* read(backing: Backing, options: Options): AsyncIterable<ReadResp> {
  const count = Math.min(Number(options.getCount()), Number.MAX_SAFE_INTEGER);
  const backwards = options.getReadDirection() === ReadDirection.BACKWARDS;
  const source = options.hasStream() ? readStream(backing, options, backwards) : readAll(backing, options, backwards);
  let left = count;
  for await (const message of source) {
    if (left-- <= 0) return;
    yield message;
  }
}

async function* readStream({ store }: Backing, options: Options, backwards: boolean): AsyncIterable<ReadResp> {
  const from = options.getStream();
  const stream = streamOf(from?.getStreamIdentifier());
  if ((await store.readStream(stream, 0, 1)).length === 0) {
    yield streamNotFound(stream);
    return;
  }
  if (backwards) {
    const events = await store.readStream(stream);
    const last = from?.hasRevision() ? Number(from.getRevision()) : Number.POSITIVE_INFINITY;
    yield* events
      .filter(({ revision }) => revision <= last)
      .toReversed()
      .map(eventResponse);
    return;
  }
  let next = from?.hasRevision() ? Number(from.getRevision()) : 0;
  for (let page = await store.readStream(stream, next, PAGE); page.length > 0; page = await store.readStream(stream, next, PAGE)) {
    yield* page.map(eventResponse);
    next += page.length;
  }
}

async function* readAll({ store, head }: Backing, options: Options, backwards: boolean): AsyncIterable<ReadResp> {
  const passes = filterOf(options);
  const from = options.getAll();
  const position = from?.getPosition()?.getCommitPosition();
  if (!backwards) {
    let after = position === undefined ? (from?.hasEnd() ? head() : 0) : lastBefore(position);
    for (let page = await store.readAll(after, PAGE); page.length > 0; page = await store.readAll(after, PAGE)) {
      yield* page.filter(passes).map(eventResponse);
      after = page.at(-1)?.position ?? after;
    }
    return;
  }
  for (let last = position === undefined ? head() : lastBefore(position); last > 0; last -= PAGE) {
    const first = Math.max(0, last - PAGE);
    yield* (await store.readAll(first, last - first)).filter(passes).toReversed().map(eventResponse);
  }
}

/**
 * Returns the filter of a request. The filter compares the stream's name or the event's type with prefixes or with a regular
 * expression.
 */
const filterOf = (options: Options): ((event: StoredEvent) => boolean) => {
  const filter = options.getFilter();
  const expression = filter?.getStreamIdentifier() ?? filter?.getEventType();
  if (!filter || !expression) return () => true;
  const subject = (event: StoredEvent): string => (filter.hasStreamIdentifier() ? event.stream : event.type);
  if (expression.getRegex() === '') return (event) => expression.getPrefixList().some((prefix) => subject(event).startsWith(prefix));
  const regex = new RegExp(expression.getRegex());
  return (event) => regex.test(subject(event));
};

const subscribe = async (backing: Backing, call: ReadCall, options: Options): Promise<void> => {
  const { store, faults, subscriptions } = backing;
  const dropped = new AbortController();
  call.on('cancelled', () => dropped.abort());
  subscriptions.add(dropped);
  try {
    const passes = filterOf(options);
    await send(call, confirmation(randomUUID()));
    let isLive = false;
    for await (const batch of store.subscribe(startOf(backing, options), dropped.signal)) {
      for (const event of batch.events.filter(passes)) await send(call, eventResponse(event));
      const last = batch.events.at(-1);
      if (last && !passes(last)) await send(call, checkpoint(last.position));
      if (batch.caughtUp && !isLive && faults.reportsCaughtUp) await send(call, caughtUp());
      isLive ||= batch.caughtUp;
    }
    call.emit('error', { code: status.CANCELLED, details: 'the subscription was dropped' });
  } finally {
    subscriptions.delete(dropped);
  }
};

/** The position after which a subscription starts. */
const startOf = ({ head, faults }: Backing, options: Options): number => {
  const position = options.getAll()?.getPosition()?.getCommitPosition();
  if (position === undefined) return options.getAll()?.hasEnd() ? head() : 0;
  return faults.startsAtPosition ? lastBefore(position) : lastUpTo(position);
};
