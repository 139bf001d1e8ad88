import { describe, expect, it } from '@jest/globals';
import type { RateLimitCounters } from '../../../../libs/ports/rate-limit-counters.port.js';
import { yieldToEventLoop } from '../../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { manualClock } from '../../../../libs/eventsourcing/testing/manual-clock.js';
import { createRateLimiter, EXCHANGE_INTERVAL } from './rate-limit.js';

const LIMIT = 3;
const WINDOW = 60_000;

/** Creates shared counters that record each exchange. For every bucket they return the count `state.others`. */
const recordingCounters = () => {
  const exchanges: { readonly windowEnd: string; readonly counts: Readonly<Record<string, number>> }[] = [];
  const state = { others: 0, down: false, waiting: null as Promise<void> | null };
  const counters: RateLimitCounters = {
    async exchange(windowEnd, counts) {
      exchanges.push({ windowEnd: windowEnd.toISOString(), counts: Object.fromEntries(counts) });
      await state.waiting;
      if (state.down) throw new Error('down');
      return new Map([...counts.keys()].map((bucket) => [bucket, state.others]));
    },
  };
  return { counters, exchanges, state };
};

const open = (limit = LIMIT) => {
  const clock = manualClock('2026-01-02T03:04:10Z');
  const shared = recordingCounters();
  const limiter = createRateLimiter({ limit, windowSeconds: WINDOW / 1000 }, clock, shared.counters);
  const advance = async (milliseconds = EXCHANGE_INTERVAL): Promise<void> => {
    clock.advance(milliseconds);
    await yieldToEventLoop();
  };
  return { ...shared, clock, limiter, advance };
};

describe('a rate limit that several processes share', () => {
  it('exchanges the counts of all buckets together, a quarter of a second after the first request', async () => {
    const { limiter, exchanges, advance } = open();
    for (let requests = 0; requests < 500; requests++) limiter.take(`caller ${requests % 250}`);
    await advance(EXCHANGE_INTERVAL - 1);
    expect(exchanges).toHaveLength(0);
    await advance(1);
    expect(exchanges).toHaveLength(1);
    expect(Object.values(exchanges[0]?.counts ?? {})).toEqual(Array.from({ length: 250 }, () => 2));
    await advance(10 * EXCHANGE_INTERVAL);
    expect(exchanges).toHaveLength(1);
  });

  it('counts the requests that other processes admitted, after an exchange', async () => {
    const { limiter, state, advance } = open();
    state.others = LIMIT - 1;
    expect(limiter.take('ann').remaining).toBe(2);
    await advance();
    expect(limiter.take('ann')).toMatchObject({ allowed: false, remaining: 0 });
  });

  it('sends only the counts of buckets that have changed', async () => {
    const { limiter, exchanges, advance } = open();
    limiter.take('ann');
    limiter.take('bert');
    await advance();
    limiter.take('ann');
    await advance();
    expect(exchanges.map(({ counts }) => counts)).toEqual([{ ann: 1, bert: 1 }, { ann: 2 }]);
  });

  it('does not send rejected requests', async () => {
    const { limiter, exchanges, advance } = open();
    for (let round = 0; round < 20; round++) {
      for (let requests = 0; requests < 50; requests++) limiter.take('ann');
      await advance();
    }
    expect(exchanges.map(({ counts }) => counts)).toEqual([{ ann: LIMIT }]);
  });

  it('starts no exchange while another one is in progress', async () => {
    const { limiter, exchanges, state, advance } = open();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.waiting = promise;
    for (let requests = 0; requests < LIMIT; requests++) {
      limiter.take('ann');
      await advance();
    }
    expect(exchanges).toHaveLength(1);
    resolve();
    state.waiting = null;
    await yieldToEventLoop();
    await advance();
    expect(exchanges.map(({ counts }) => counts)).toEqual([{ ann: 1 }, { ann: LIMIT }]);
  });

  it('counts only its own requests while the counters are unreachable, and sends their counts afterwards', async () => {
    const { limiter, exchanges, state, advance } = open();
    state.down = true;
    limiter.take('ann');
    await advance();
    expect(limiter.take('bert').allowed).toBe(true);
    await advance();
    state.down = false;
    state.others = 1;
    await advance();
    expect(exchanges.at(-1)?.counts).toEqual({ ann: 1, bert: 1 });
    expect(limiter.take('ann').remaining).toBe(0);
    await advance();
    expect(exchanges).toHaveLength(4);
  });

  it('counts from zero in each window, and ignores the result of an exchange for a previous window', async () => {
    const { limiter, exchanges, state, advance } = open();
    const { promise, resolve } = Promise.withResolvers<void>();
    state.waiting = promise;
    state.others = LIMIT;
    limiter.take('ann');
    await advance(WINDOW);
    expect(limiter.take('ann').remaining).toBe(LIMIT - 1);
    resolve();
    await yieldToEventLoop();
    expect(limiter.take('ann').remaining).toBe(LIMIT - 2);
    await advance();
    expect(exchanges.map(({ windowEnd, counts }) => [windowEnd, counts])).toEqual([
      ['2026-01-02T03:05:00.000Z', { ann: 1 }],
      ['2026-01-02T03:06:00.000Z', { ann: 2 }],
    ]);
  });

  it('exchanges nothing after it is stopped', async () => {
    const { limiter, exchanges, clock, advance } = open();
    limiter.take('ann');
    limiter.stop();
    limiter.take('ann');
    await advance();
    expect([exchanges.length, clock.waiting()]).toEqual([0, 0]);
  });
});
