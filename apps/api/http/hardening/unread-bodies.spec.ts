import { Socket } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { yieldToEventLoop } from '../../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { PieceJoiningRequest } from './unread-bodies.js';

/** A connection that knows whether it is read, like that of Node's parser. */
class Connection extends Socket {
  isReading = true;

  override resume(): this {
    this.isReading = true;
    return this;
  }
}

/** Pieces that the parser finds in one read of the connection, and the turns for which the reader pauses afterwards. */
type Step = { readonly sizes: readonly number[]; readonly pause: number };

/** Turns of the event loop after which a connection that nobody reads counts as stuck. No pause of a test is that long. */
const STUCK = 100;

/**
 * Passes the pieces to the request as Node's parser does: it stops reading the connection when `push` returns false, but passes
 * on all pieces that it has read. Returns what a reader that pauses has received.
 */
const exchange = async (steps: readonly Step[]): Promise<Buffer> => {
  const connection = new Connection();
  Object.defineProperty(connection, 'readable', { value: true });
  const request = new PieceJoiningRequest(connection);
  const received: Buffer[] = [];
  let pausedFor = 0;
  request.on('data', (piece: Buffer) => {
    received.push(piece);
    request.pause();
    pausedFor ||= 1;
  });
  const turn = async (): Promise<void> => {
    await yieldToEventLoop();
    if (pausedFor > 0 && --pausedFor === 0) request.resume();
  };
  let value = 0;
  for (const { sizes, pause } of steps) {
    for (let turns = 0; !connection.isReading; turns++) {
      if (turns > STUCK) throw new Error(`the connection is not read again after ${Buffer.concat(received).length} bytes`);
      await turn();
    }
    for (const size of sizes) if (!request.push(Buffer.alloc(size, value++ % 251))) connection.isReading = false;
    pausedFor += pause;
    if (pause > 0) request.pause();
    await turn();
  }
  request.push(null);
  while (pausedFor > 0) await turn();
  request.resume();
  for (let turns = 0; !request.readableEnded && turns < STUCK; turns++) await turn();
  return Buffer.concat(received);
};

const sent = (steps: readonly Step[]): Buffer =>
  Buffer.concat(steps.flatMap(({ sizes }) => sizes).map((size, nth) => Buffer.alloc(size, nth % 251)));

describe('a body in pieces', () => {
  it('is read to its end after a small piece has filled the buffer during a pause', async () => {
    const steps = [
      { sizes: [65_524], pause: 3 },
      { sizes: [500], pause: 3 },
      { sizes: [65_524], pause: 0 },
    ];
    expect((await exchange(steps)).equals(sent(steps))).toBe(true);
  });

  it('is read to its end and in order, whatever the sizes and the pauses', async () => {
    const size = fc.oneof(
      fc.integer({ min: 1, max: 1_024 }),
      fc.constantFrom(16_372, 65_524, 65_530),
      fc.integer({ min: 1_024, max: 66_000 }),
    );
    const step = fc.record({ sizes: fc.array(size, { minLength: 1, maxLength: 3 }), pause: fc.integer({ min: 0, max: 4 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        expect((await exchange(steps)).equals(sent(steps))).toBe(true);
      }),
      { seed: 57, numRuns: 300 },
    );
  });
});
