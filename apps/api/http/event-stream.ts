import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { every } from './machine-time.js';

/** The content of a stream of server-sent events. */
export type EventStream<Part> = {
  /** The parts of the answer. Each becomes one or more events. */
  readonly parts: AsyncIterator<Part, undefined>;
  /** Returns the event before the first part. */
  readonly first: () => string;
  /** Returns the events of a part, as one text. */
  readonly eventsOf: (part: Part) => string | Promise<string>;
  /** The event after the last part. */
  readonly last: string;
  /** Returns the event that ends a stream after an error, instead of `last`. */
  readonly failure: (error: unknown) => string;
};

/** Milliseconds between two heartbeats. Without heartbeats, a client or a proxy may close an idle connection. */
export const HEARTBEAT_INTERVAL = 5_000;

/** A comment in the format of server-sent events. Clients ignore comments. */
const HEARTBEAT = ': waiting\n\n';

/** Creates an event with this data. A text must have no line break, because a line break would end the data. */
export const dataEvent = (data: object | string): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

/**
 * Sends a stream of server-sent events. Sends the headers at the first part or the first heartbeat, whichever comes first.
 * If reading the first part fails before that, throws the error, and the response is a problem with its own status (contract
 * 41.3). While the client reads no data, no parts are read.
 */
export const sendEventStream = async <Part>(
  reply: FastifyReply,
  status: 200 | 201,
  stream: EventStream<Part>,
  heartbeatInterval = HEARTBEAT_INTERVAL,
): Promise<void> => {
  // The client may have left before. Then nothing must begin: its end would come no more.
  if (reply.raw.destroyed) return void reply.hijack();
  const heartbeats = startHeartbeats(heartbeatInterval);
  // Node ends a stream that was not read to its end, or not begun at all, without running what ends the parts and the heartbeats.
  reply.raw.once('close', () => {
    heartbeats.stop();
    void stream.parts.return?.(undefined);
  });
  try {
    const first = stream.parts.next();
    await Promise.race([first, heartbeats.next()]);
    reply
      .code(status)
      .header('content-type', 'text/event-stream; charset=utf-8')
      .header('cache-control', 'no-store')
      // Without this header, some proxies would collect the whole response before they pass it on.
      .header('x-accel-buffering', 'no')
      .send(Readable.from(events(first, stream, heartbeats), { objectMode: false }));
  } catch (error) {
    heartbeats.stop();
    throw error;
  }
};

async function* events<Part>(
  first: Promise<IteratorResult<Part, undefined>>,
  { parts, ...stream }: EventStream<Part>,
  heartbeats: Heartbeats,
): AsyncGenerator<string> {
  let next = first;
  try {
    yield stream.first();
    for (;;) {
      while ((await Promise.race([next, heartbeats.next()])) === 'heartbeat') yield HEARTBEAT;
      const { done, value } = await next;
      if (done) break;
      yield await stream.eventsOf(value);
      next = parts.next();
    }
    yield stream.last;
  } catch (error) {
    yield stream.failure(error);
  } finally {
    heartbeats.stop();
  }
}

type Heartbeats = {
  /** Resolves at the next heartbeat. */
  next(): Promise<'heartbeat'>;
  stop(): void;
};

const startHeartbeats = (interval: number): Heartbeats => {
  let beat = Promise.withResolvers<'heartbeat'>();
  const stop = every(interval, () => {
    beat.resolve('heartbeat');
    beat = Promise.withResolvers();
  });
  return { next: () => beat.promise, stop };
};
