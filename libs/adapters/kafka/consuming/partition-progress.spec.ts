import { describe, expect, it } from '@jest/globals';
import { PartitionProgress } from './partition-progress.js';

describe('the progress of a partition', () => {
  it('begins at its first offset, with nothing to store', () => {
    const progress = new PartitionProgress('topic', 0);
    expect([progress.nextOffset(), progress.unstored(), progress.isNew(0)]).toEqual([0, null, true]);
  });

  it('goes by the offset of the next message', () => {
    const progress = new PartitionProgress('topic', 0);
    const first = progress.take(3);
    progress.readBefore(10);
    expect(progress.nextOffset()).toBe(3);
    progress.finish(first);
    expect([progress.nextOffset(), progress.unstored()]).toEqual([10, 9]);
  });

  it('knows the messages that come once more', () => {
    const progress = new PartitionProgress('topic', 0);
    progress.readBefore(5);
    expect([progress.isNew(4), progress.isNew(5)]).toEqual([false, true]);
    progress.readBefore(2);
    expect(progress.nextOffset()).toBe(5);
  });
});
