import { describe, expect, it } from '@jest/globals';
import { CheckpointTracker } from './checkpoint-tracker.js';

describe('the checkpoint of a consumer', () => {
  it('is the last position read when no message is in hand, even if the consumer does not handle the last message', () => {
    const tracker = new CheckpointTracker(5);
    expect(tracker.checkpoint()).toBe(5);
    tracker.readTo(9);
    expect(tracker.checkpoint()).toBe(9);
  });

  it('stays before the first message in hand when later messages are done', () => {
    const tracker = new CheckpointTracker(0);
    const [first, second, third] = [tracker.take(3), tracker.take(5), tracker.take(8)];
    tracker.readTo(10);
    tracker.finish(second);
    tracker.finish(third);
    expect([tracker.checkpoint(), tracker.inHandCount()]).toEqual([2, 3]);
    tracker.finish(first);
    expect([tracker.checkpoint(), tracker.inHandCount()]).toEqual([10, 0]);
  });

  it('does not go back when messages are delivered again', () => {
    const tracker = new CheckpointTracker(-1);
    tracker.readTo(5);
    tracker.readTo(2);
    expect([tracker.lastRead(), tracker.checkpoint()]).toEqual([5, 5]);
  });

  it('has to be stored only after it has moved', () => {
    const tracker = new CheckpointTracker(-1);
    expect(tracker.unstoredCheckpoint()).toBeNull();
    tracker.readTo(5);
    expect(tracker.unstoredCheckpoint()).toBe(5);
    tracker.markStored(5);
    expect(tracker.unstoredCheckpoint()).toBeNull();
    tracker.readTo(6);
    expect(tracker.unstoredCheckpoint()).toBe(6);
  });

  it('counts only unfinished messages as in hand, even after many finished ones', () => {
    const tracker = new CheckpointTracker(0);
    for (let position = 1; position <= 10_000; position++) {
      tracker.readTo(position);
      tracker.finish(tracker.take(position));
    }
    const last = tracker.take(10_001);
    expect([tracker.checkpoint(), tracker.inHandCount()]).toEqual([10_000, 1]);
    tracker.finish(last);
    expect(tracker.inHandCount()).toBe(0);
  });
});
