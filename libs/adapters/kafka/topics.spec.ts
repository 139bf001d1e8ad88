import { describe, expect, it } from '@jest/globals';
import { defaultMinInSync } from './topics.js';

describe('a message is acknowledged', () => {
  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [5, 4],
  ])('with %d replicas when %d of them have it', (replicas, inSync) => expect(defaultMinInSync(replicas)).toBe(inSync));
});
