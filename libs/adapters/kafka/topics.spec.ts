import { describe, expect, it } from '@jest/globals';
import { defaultMinInSync } from './topics.js';

describe('a message is acknowledged', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [5, 4],
  ])('on %d brokers when %d have it: one may be down, and two have it where there are two', (replicas, inSync) =>
    expect(defaultMinInSync(replicas)).toBe(inSync),
  );
});
