import { beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { StoredPosition } from './stored-position.js';

describe('a position that is stored in the background', () => {
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
    position = new StoredPosition({ store, clock, interval: 100, onFailure: () => failures++ }, 5);
  });

  it('is stored at once after an idle time, and then once per interval', async () => {
    position.advanceTo(6);
    await yieldToEventLoop();
    position.advanceTo(7);
    position.advanceTo(8);
    await yieldToEventLoop();
    expect(stored).toEqual([6]);
    clock.advance(100);
    await yieldToEventLoop();
    expect(stored).toEqual([6, 8]);
    clock.advance(100);
    await yieldToEventLoop();
    position.advanceTo(9);
    await yieldToEventLoop();
    expect(stored).toEqual([6, 8, 9]);
  });

  it('is stored at the end without waiting for the interval', async () => {
    position.advanceTo(6);
    await yieldToEventLoop();
    position.advanceTo(7);
    await position.end();
    expect(stored).toEqual([6, 7]);
  });

  it('is not stored if it has not changed', async () => {
    await position.end();
    expect(stored).toEqual([]);
  });

  it('reports only once that it could not be stored, and `end` rejects with the error', async () => {
    fault = new Error('the lease is lost');
    position.advanceTo(6);
    await yieldToEventLoop();
    position.advanceTo(7);
    await expect(position.end()).rejects.toBe(fault);
    expect([stored, failures]).toEqual([[], 1]);
  });
});
