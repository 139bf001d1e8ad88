import { describe, expect, it } from '@jest/globals';
import { releaseMemory } from './release-memory.js';

describe('the memory of a buffer', () => {
  it('is freed at once if the buffer is all or more than half of it', () => {
    const [whole, part] = [Buffer.allocUnsafeSlow(100_000), Buffer.allocUnsafeSlow(100_000).subarray(1_000)];
    for (const buffer of [whole, part]) releaseMemory(buffer);
    expect([whole.length, whole.buffer.byteLength, part.length, part.buffer.byteLength]).toEqual([0, 0, 0, 0]);
  });

  it('is kept if Node shares it with other buffers', () => {
    const [first, second] = [Buffer.from('first'), Buffer.from('second')];
    releaseMemory(first);
    expect([String(first), String(second)]).toEqual(['first', 'second']);
  });

  it('is kept if the buffer is only half of it', () => {
    const half = Buffer.allocUnsafeSlow(100_000).subarray(50_000);
    releaseMemory(half);
    expect(half).toHaveLength(50_000);
  });
});
