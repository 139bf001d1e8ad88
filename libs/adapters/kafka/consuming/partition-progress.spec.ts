import { describe, expect, it } from '@jest/globals';
import { PartitionProgress } from './partition-progress.js';

describe('the progress of a partition', () => {
  it('starts before the first offset, with no position to store', () => {
    const progress = new PartitionProgress('topic', 0);
    expect([progress.checkpoint(), progress.unstoredCheckpoint(), progress.isNew(0)]).toEqual([-1, null, true]);
  });

  it('stays before a message in progress, and then advances to the last offset read', () => {
    const progress = new PartitionProgress('topic', 0);
    const first = progress.take(3);
    progress.readBefore(10);
    expect(progress.checkpoint()).toBe(2);
    progress.finish(first);
    expect([progress.checkpoint(), progress.unstoredCheckpoint()]).toEqual([9, 9]);
  });

  it('recognises redelivered messages', () => {
    const progress = new PartitionProgress('topic', 0);
    progress.readBefore(5);
    expect([progress.isNew(4), progress.isNew(5)]).toEqual([false, true]);
    progress.readBefore(2);
    expect(progress.checkpoint()).toBe(4);
  });
});
