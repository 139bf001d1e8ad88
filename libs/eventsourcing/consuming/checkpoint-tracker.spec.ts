import { describe, expect, it } from '@jest/globals';
import { CheckpointTracker } from './checkpoint-tracker.js';

describe('the checkpoint of a consumer', () => {
  it('is where reading is when nothing is in hand, also past what nobody handles', () => {
    const tracker = new CheckpointTracker(5);
    expect(tracker.checkpoint()).toBe(5);
    tracker.readTo(9);
    expect(tracker.checkpoint()).toBe(9);
  });

  it('stays before the first message in hand, however many after it are done', () => {
    const tracker = new CheckpointTracker(0);
    const [first, second, third] = [tracker.take(3), tracker.take(5), tracker.take(8)];
    tracker.readTo(10);
    tracker.finish(second);
    tracker.finish(third);
    expect([tracker.checkpoint(), tracker.open()]).toEqual([2, 3]);
    tracker.finish(first);
    expect([tracker.checkpoint(), tracker.open()]).toEqual([10, 0]);
  });

  it('does not go back when messages come once more', () => {
    const tracker = new CheckpointTracker(-1);
    tracker.readTo(5);
    tracker.readTo(2);
    expect([tracker.readSoFar(), tracker.checkpoint()]).toEqual([5, 5]);
  });

  it('is stored once', () => {
    const tracker = new CheckpointTracker(-1);
    expect(tracker.unstored()).toBeNull();
    tracker.readTo(5);
    expect(tracker.unstored()).toBe(5);
    tracker.storedAt(5);
    expect(tracker.unstored()).toBeNull();
    tracker.readTo(6);
    expect(tracker.unstored()).toBe(6);
  });

  it('remembers no more than is in hand, also over many messages', () => {
    const tracker = new CheckpointTracker(0);
    for (let position = 1; position <= 10_000; position++) {
      tracker.readTo(position);
      tracker.finish(tracker.take(position));
    }
    const last = tracker.take(10_001);
    expect([tracker.checkpoint(), tracker.open()]).toEqual([10_000, 1]);
    tracker.finish(last);
    expect(tracker.open()).toBe(0);
  });
});
