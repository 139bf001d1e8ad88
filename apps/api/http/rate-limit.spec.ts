import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { createRateLimiter, MOST_ON_THEIR_WAY, type RateLimiter } from './rate-limit.js';

const LIMIT = 3;

/** Counters that answer when they are told to, with what others have counted on top. */
const counters = (others = 0) => {
  const added: string[] = [];
  const waiting: (() => void)[] = [];
  return {
    added,
    add: (bucket: string): Promise<number> => {
      const count = others + added.push(bucket);
      return new Promise((resolve) => waiting.push(() => resolve(count)));
    },
    async answer(): Promise<void> {
      for (const go of waiting.splice(0)) go();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
};

const limiterOn = (shared: ReturnType<typeof counters>): RateLimiter =>
  createRateLimiter({ limit: LIMIT, windowSeconds: 60 }, manualClock('2026-01-02T03:04:10Z'), shared);

describe('a rate limit that processes share', () => {
  it('knows from the next request on what the others have counted', async () => {
    const shared = counters(LIMIT - 1);
    const limiter = limiterOn(shared);
    expect(limiter.take('ann').remaining).toBe(2);
    await shared.answer();
    expect(limiter.take('ann').allowed).toBe(false);
  });

  it('shares nothing of what it refuses: a flood costs the counters no more than the limit', async () => {
    const shared = counters();
    const limiter = limiterOn(shared);
    for (let requests = 0; requests < 1_000; requests++) {
      limiter.take('ann');
      await shared.answer();
    }
    expect(shared.added).toHaveLength(LIMIT);
  });

  it('waits for no more than so many answers at once, however many callers there are', async () => {
    const shared = counters();
    const limiter = limiterOn(shared);
    for (let caller = 0; caller < 10 * MOST_ON_THEIR_WAY; caller++) limiter.take(`caller ${caller}`);
    expect(shared.added).toHaveLength(MOST_ON_THEIR_WAY);
    await shared.answer();
    limiter.take('ann');
    expect(shared.added.at(-1)).toBe('ann');
  });

  it('counts on by itself while the counters cannot be reached, and shares again afterwards', async () => {
    const shared = counters();
    let down = true;
    const limiter = createRateLimiter({ limit: 2 * MOST_ON_THEIR_WAY, windowSeconds: 60 }, manualClock(), {
      add: (bucket) => (down ? Promise.reject(new Error('down')) : shared.add(bucket)),
    });
    for (let requests = 0; requests < 2 * MOST_ON_THEIR_WAY - 1; requests++) {
      limiter.take('ann');
      await shared.answer();
    }
    down = false;
    expect(limiter.take('ann')).toMatchObject({ allowed: true, remaining: 0 });
    expect(shared.added).toEqual(['ann']);
    expect(limiter.take('ann').allowed).toBe(false);
  });
});
