import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Lease, Leases } from '../../eventsourcing/ports/leases.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { keepExtending, type ActiveLease } from './active-lease.js';

const LEASE: Lease = { name: 'relay', owner: 'one', fence: 1 };
const MILLISECONDS = 3_000;

describe('an active lease', () => {
  let clock: ManualClock;
  let extended: number;
  let released: number;
  let extend: () => Promise<boolean>;
  let release: () => Promise<void>;
  let active: ActiveLease;

  beforeEach(() => {
    clock = manualClock();
    [extended, released] = [0, 0];
    extend = () => Promise.resolve(true);
    release = () => Promise.resolve();
    const leases: Leases = {
      acquire: () => Promise.resolve(null),
      async extend() {
        extended++;
        return extend();
      },
      async release() {
        released++;
        return release();
      },
    };
    active = keepExtending(leases, LEASE, clock, MILLISECONDS);
  });
  const pass = async (milliseconds: number): Promise<void> => {
    for (let passed = 0; passed < milliseconds; passed += 100) {
      clock.advance(100);
      await yieldToEventLoop();
    }
  };
  const state = () => ({ valid: active.isValid(), lost: active.lost.aborted });

  it('is extended well before it expires', async () => {
    await pass(10 * MILLISECONDS);
    expect(extended).toBeGreaterThanOrEqual(20);
    expect(state()).toEqual({ valid: true, lost: false });
  });

  it('is lost as soon as an extension is rejected', async () => {
    extend = () => Promise.resolve(false);
    await pass(MILLISECONDS / 3);
    expect(state()).toEqual({ valid: false, lost: true });
  });

  it('is valid until it expires while extensions fail', async () => {
    extend = () => Promise.reject(new Error('no answer'));
    await pass(MILLISECONDS - 100);
    expect(state()).toEqual({ valid: true, lost: false });
    await pass(MILLISECONDS);
    expect(state()).toEqual({ valid: false, lost: true });
  });

  it('is valid until it expires while extensions get no response', async () => {
    let answer = (_: boolean): void => undefined;
    extend = () => new Promise((resolve) => (answer = resolve));
    await pass(MILLISECONDS - 100);
    expect(state()).toEqual({ valid: true, lost: false });
    await pass(100);
    expect(state()).toEqual({ valid: false, lost: true });
    answer(false);
  });

  it('leaves no timer after its release', async () => {
    await pass(MILLISECONDS);
    await active.release();
    expect(clock.waiting()).toBe(0);
  });

  it('is not valid after the process was suspended until it expired, even before a timer runs', () => {
    clock.set(clock.now().getTime() + MILLISECONDS);
    expect(state()).toEqual({ valid: false, lost: false });
  });

  it('is not valid for longer when the clock is set back', async () => {
    extend = () => new Promise(() => undefined);
    clock.set(clock.now().getTime() - 3_600_000);
    await pass(MILLISECONDS);
    expect(state()).toEqual({ valid: false, lost: true });
  });

  it('is released once, and not extended afterwards', async () => {
    await active.release();
    await pass(MILLISECONDS);
    expect([extended, released]).toEqual([0, 1]);
  });

  it('is not released once it is lost', async () => {
    extend = () => Promise.resolve(false);
    await pass(MILLISECONDS);
    await active.release();
    expect(released).toBe(0);
  });

  it('can be released while the database is unavailable', async () => {
    release = () => Promise.reject(new Error('no answer'));
    await expect(active.release()).resolves.toBeUndefined();
  });
});
