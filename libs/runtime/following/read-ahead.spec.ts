import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { EventBatch, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { yieldToEventLoop } from '../../eventsourcing/yield-to-event-loop.js';
import { settle } from './following.fixtures.js';
import type { Pace } from './pace.js';
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

describe('what is read ahead', () => {
  let stopping: AbortController;
  beforeEach(() => void (stopping = new AbortController()));
  afterEach(() => stopping.abort());

  /** Events of these sizes, each in a batch of its own; `read` counts those that were asked for. */
  const given = (...sizes: readonly number[]) => paced(() => Promise.resolve(), ...sizes);
  const paced = (pace: Pace, ...sizes: readonly number[]) => {
    const state = { read: 0 };
    const source = async function* (): AsyncGenerator<EventBatch> {
      for (const size of sizes) yield { events: [event(++state.read, size)], caughtUp: true };
    };
    const ahead = new ReadAhead(source(), 4, stopping.signal, pace);
    const take = async (): Promise<readonly number[] | undefined> => {
      await yieldToEventLoop();
      return (await ahead.take())?.map(({ position }) => position);
    };
    return { state, take, ahead };
  };

  it('is taken a few at a time, however much there is', async () => {
    const { take } = given(1, 1, 1, 1, 1, 1);
    expect([await take(), await take(), await take()]).toEqual([[1, 2, 3, 4], [5, 6], undefined]);
  });

  it('is taken in pieces that a transaction can hold, however large the events are', async () => {
    const { take } = given(2_000_000, 1_500_000, 1_000_000, 3_000_000, 9_000_000, 1);
    expect([await take(), await take(), await take(), await take()]).toEqual([[1, 2], [3, 4], [5], [6]]);
  });

  it('is taken before its time once it is as much as is taken at once', async () => {
    let taken: number | undefined;
    const { ahead } = paced(() => new Promise(() => undefined), 1, 1, 1, 1, 1);
    void ahead.take().then((events) => (taken = events?.length));
    await settle();
    expect(taken).toBe(4);
  });

  it('is no more than can be taken at once, and a batch', async () => {
    const { state, take } = given(3_000_000, 3_000_000, 3_000_000, 3_000_000);
    await yieldToEventLoop();
    expect(state.read).toBe(2);
    expect(await take()).toEqual([1]);
    await yieldToEventLoop();
    expect(state.read).toBe(3);
  });
});
