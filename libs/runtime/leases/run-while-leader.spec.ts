import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { memoryLeases, advanceBy, advanceUntil } from '../following/following.fixtures.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { startAndStop, runWhileLeader, type LeaseOptions } from './run-while-leader.js';

describe('work that one process does at a time', () => {
  let clock: ManualClock;
  let leasing: ReturnType<typeof memoryLeases>;
  let errors: unknown[];
  /** The processes that currently run the work, in the order in which they started it. */
  let atWork: string[];
  let stops: (() => Promise<void>)[];

  beforeEach(() => {
    clock = manualClock();
    leasing = memoryLeases(clock);
    [errors, atWork, stops] = [[], [], []];
  });
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()));
  });

  const begin = (owner: string, parts: Partial<LeaseOptions> = {}, start?: () => () => Promise<void>): (() => Promise<void>) => {
    const work = (): (() => Promise<void>) => {
      atWork.push(owner);
      return async () => void atWork.splice(atWork.indexOf(owner), 1);
    };
    const onError = (error: unknown): void => void errors.push(error);
    const stop = runWhileLeader({ name: 'timers', leases: leasing.leases, owner, clock, onError, ...parts }, startAndStop(start ?? work));
    stops.push(stop);
    return stop;
  };
  const isAtWork = (owner: string) => advanceUntil(clock, `${owner} at work`, () => atWork.includes(owner));

  it('starts once the process has the lease, and continues while it has it', async () => {
    begin('one');
    await isAtWork('one');
    await advanceBy(clock, 60_000);
    expect([atWork, leasing.ownerOf('timers')]).toEqual([['one'], 'one']);
  });

  it('does not start while another process does the work', async () => {
    begin('one');
    await isAtWork('one');
    begin('two');
    await advanceBy(clock, 60_000);
    expect(atWork).toEqual(['one']);
  });

  it('ends before the lease is released, and another process soon takes over', async () => {
    let ended = (): void => undefined;
    const stop = begin('one', {}, () => {
      atWork.push('one');
      return () => new Promise<void>((resolve) => (ended = resolve)).then(() => void atWork.pop());
    });
    await isAtWork('one');
    begin('two');
    const stopped = stop();
    await advanceBy(clock, 2_000);
    expect(atWork).toEqual(['one']);
    ended();
    await stopped;
    await advanceBy(clock, 1_100);
    expect(atWork).toEqual(['two']);
  });

  it('ends when the lease is lost', async () => {
    begin('one');
    await isAtWork('one');
    leasing.take('timers');
    await advanceBy(clock, 10_000);
    expect([atWork, errors]).toEqual([[], []]);
  });

  it('ends when the lease cannot be extended, before another process can acquire it', async () => {
    const unreachable = { ...leasing.leases, extend: () => Promise.reject(new StoreUnavailable('MongoDB is down')) };
    begin('one', { leases: unreachable });
    await isAtWork('one');
    begin('two');
    await advanceUntil(clock, 'the end of one', () => !atWork.includes('one'));
    await isAtWork('two');
    expect(atWork).toEqual(['two']);
  });

  it('starts again when the leases are available again, and reports an outage once', async () => {
    let broken = true;
    const failing: LeaseOptions['leases'] = {
      ...leasing.leases,
      acquire: (...args) => (broken ? Promise.reject(new StoreUnavailable('MongoDB is down')) : leasing.leases.acquire(...args)),
    };
    begin('one', { leases: failing });
    await advanceBy(clock, 10_000);
    expect(errors).toHaveLength(1);
    broken = false;
    await isAtWork('one');
  });

  const cannot = (): never => {
    throw new Error('cannot');
  };
  it.each([
    ['start', cannot],
    ['end', () => async () => cannot()],
  ])('releases the lease when it cannot %s', async (_, start) => {
    const stop = begin('one', {}, start);
    await yieldToEventLoop();
    clock.advance(1);
    await yieldToEventLoop();
    await stop();
    expect(errors).toHaveLength(1);
    expect(leasing.ownerOf('timers')).toBeNull();
  });
});
