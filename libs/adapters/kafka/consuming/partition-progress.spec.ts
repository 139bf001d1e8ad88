import { describe, expect, it } from '@jest/globals';
import { PartitionProgress } from './partition-progress.js';

describe('the progress of a partition', () => {
  it('is unknown before anything was read', () => {
    const progress = new PartitionProgress('topic', 0);
    expect([progress.next(), progress.unstored()]).toEqual([null, null]);
  });

  it('is where reading is when nothing is in hand, also past what nobody handles', () => {
    const progress = new PartitionProgress('topic', 0);
    progress.readTo(9);
    expect([progress.next(), progress.unstored()]).toEqual([9, 9]);
  });

  it('stays at the first message in hand, however many after it are done', () => {
    const progress = new PartitionProgress('topic', 0);
    const [first, second, third] = [progress.take(3), progress.take(5), progress.take(8)];
    progress.readTo(10);
    progress.finish(second);
    progress.finish(third);
    expect([progress.next(), progress.open()]).toEqual([3, 3]);
    progress.finish(first);
    expect([progress.next(), progress.open()]).toEqual([10, 0]);
  });

  it('knows the messages that come once more', () => {
    const progress = new PartitionProgress('topic', 0);
    progress.readTo(5);
    expect([progress.isNew(4), progress.isNew(5)]).toEqual([false, true]);
    progress.readTo(2);
    expect(progress.next()).toBe(5);
  });

  it('has nothing to store that is stored, or that is lost', () => {
    const progress = new PartitionProgress('topic', 0);
    progress.readTo(5);
    progress.stored = 5;
    expect(progress.unstored()).toBeNull();
    progress.readTo(6);
    expect(progress.unstored()).toBe(6);
    progress.lost = true;
    expect(progress.unstored()).toBeNull();
  });

  it('holds no more than is in hand, also over many messages', () => {
    const progress = new PartitionProgress('topic', 0);
    for (let offset = 0; offset < 10_000; offset++) {
      progress.readTo(offset + 1);
      progress.finish(progress.take(offset));
    }
    const last = progress.take(10_000);
    expect([progress.next(), progress.open()]).toEqual([10_000, 1]);
    progress.finish(last);
    expect(progress.open()).toBe(0);
  });
});
