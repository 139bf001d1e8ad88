import { describe, expect, it } from '@jest/globals';
import { inSyncOf } from './topics.js';

describe('a message counts as taken', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [5, 4],
  ])('on %d brokers when %d have it: one may be down, and it is never on one alone where there are two', (replicas, inSync) =>
    expect(inSyncOf(replicas)).toBe(inSync),
  );
});
