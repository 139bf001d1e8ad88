import { beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/yield-to-event-loop.js';
import { StoredPosition } from './stored-position.js';

describe('a position that is stored beside the work', () => {
  let clock: ManualClock;
  let stored: number[];
  let failures: number;
  let fault: Error | null;
  let position: StoredPosition;
  beforeEach(() => {
    clock = manualClock();
    [stored, failures, fault] = [[], 0, null];
    const store = async (reached: number): Promise<void> => {
      if (fault) throw fault;
      stored.push(reached);
    };
    position = new StoredPosition({ store, clock, every: 100, onFailure: () => failures++ }, 5);
  });

  it('is stored at once after a quiet time, and then the newest once in a while', async () => {
    position.reach(6);
    await yieldToEventLoop();
    position.reach(7);
    position.reach(8);
    await yieldToEventLoop();
    expect(stored).toEqual([6]);
    clock.advance(100);
    await yieldToEventLoop();
    expect(stored).toEqual([6, 8]);
    clock.advance(100);
    await yieldToEventLoop();
    position.reach(9);
    await yieldToEventLoop();
    expect(stored).toEqual([6, 8, 9]);
  });

  it('is stored at the end, without waiting', async () => {
    position.reach(6);
    await yieldToEventLoop();
    position.reach(7);
    await position.end();
    expect(stored).toEqual([6, 7]);
  });

  it('that was reached before is not stored again', async () => {
    await position.end();
    expect(stored).toEqual([]);
  });

  it('that cannot be stored is told once, and why at the end', async () => {
    fault = new Error('the lease is lost');
    position.reach(6);
    await yieldToEventLoop();
    position.reach(7);
    await expect(position.end()).rejects.toBe(fault);
    expect([stored, failures]).toEqual([[], 1]);
  });
});
