import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventBatch, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { runPending } from './following.fixtures.js';
import type { Throttle } from './throttle.js';
import { ReadAhead } from './read-ahead.js';

const event = (position: number, characters: number): StoredEvent => ({
  id: `event-${position}`,
  type: 'Made',
  data: 'x'.repeat(characters),
  metadata: '',
  stream: 'thing-1',
  revision: position - 1,
  position,
});

describe('a reader that reads ahead', () => {
  let stopping: AbortController;
  beforeEach(() => void (stopping = new AbortController()));
  afterEach(() => stopping.abort());

  /** Reads ahead events of these sizes, each in its own batch. `state.read` counts the batches that were requested. */
  const given = (...sizes: readonly number[]) => throttled(() => Promise.resolve(), ...sizes);
  const throttled = (throttle: Throttle, ...sizes: readonly number[]) => {
    const state = { read: 0 };
    const source = async function* (): AsyncGenerator<EventBatch> {
      for (const size of sizes) yield { events: [event(++state.read, size)], caughtUp: true };
    };
    const ahead = new ReadAhead(source(), 4, stopping.signal, throttle);
    const take = async (): Promise<readonly number[] | undefined> => {
      await yieldToEventLoop();
      return (await ahead.takeBatch())?.map(({ position }) => position);
    };
    return { state, take, ahead };
  };

  it('returns at most the maximum number of events at a time', async () => {
    const { take } = given(1, 1, 1, 1, 1, 1);
    expect([await take(), await take(), await take()]).toEqual([[1, 2, 3, 4], [5, 6], undefined]);
  });

  it('returns batches that fit into a transaction, for events of any size', async () => {
    const { take } = given(2_000_000, 1_500_000, 1_000_000, 3_000_000, 9_000_000, 1);
    expect([await take(), await take(), await take(), await take()]).toEqual([[1, 2], [3, 4], [5], [6]]);
  });

  it('returns a full batch before the interval has passed', async () => {
    let taken: number | undefined;
    const { ahead } = throttled(() => new Promise(() => undefined), 1, 1, 1, 1, 1);
    void ahead.takeBatch().then((events) => (taken = events?.length));
    await runPending();
    expect(taken).toBe(4);
  });

  it('reads at most one batch of the log beyond a full batch', async () => {
    const { state, take } = given(3_000_000, 3_000_000, 3_000_000, 3_000_000);
    await yieldToEventLoop();
    expect(state.read).toBe(2);
    expect(await take()).toEqual([1]);
    await yieldToEventLoop();
    expect(state.read).toBe(3);
  });
});
