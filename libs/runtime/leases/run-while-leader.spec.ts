import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { leasesOn, pass, until } from '../following/following.fixtures.js';
import { yieldToEventLoop } from '../../eventsourcing/yield-to-event-loop.js';
import { between, whileLeased, type Leased } from './run-while-leader.js';

describe('something that one process does at a time', () => {
  let clock: ManualClock;
  let leasing: ReturnType<typeof leasesOn>;
  let errors: unknown[];
  /** Who is at it, in the order of their beginning. */
  let atWork: string[];
  let stops: (() => Promise<void>)[];

  beforeEach(() => {
    clock = manualClock();
    leasing = leasesOn(clock);
    [errors, atWork, stops] = [[], [], []];
  });
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()));
  });

  const begin = (holder: string, parts: Partial<Leased> = {}, start?: () => () => Promise<void>): (() => Promise<void>) => {
    const work = (): (() => Promise<void>) => {
      atWork.push(holder);
      return async () => void atWork.splice(atWork.indexOf(holder), 1);
    };
    const onError = (error: unknown): void => void errors.push(error);
    const stop = whileLeased({ name: 'timers', leases: leasing.leases, holder, clock, onError, ...parts }, between(start ?? work));
    stops.push(stop);
    return stop;
  };
  const isAtWork = (holder: string) => until(clock, `${holder} at work`, () => atWork.includes(holder));

  it('is begun once there is the lease, and done for as long as it is held', async () => {
    begin('one');
    await isAtWork('one');
    await pass(clock, 60_000);
    expect([atWork, leasing.holderOf('timers')]).toEqual([['one'], 'one']);
  });

  it('is not begun while another does it', async () => {
    begin('one');
    await isAtWork('one');
    begin('two');
    await pass(clock, 60_000);
    expect(atWork).toEqual(['one']);
  });

  it('is ended before the lease is let go of, and taken up by another soon', async () => {
    let ended = (): void => undefined;
    const stop = begin('one', {}, () => {
      atWork.push('one');
      return () => new Promise<void>((resolve) => (ended = resolve)).then(() => void atWork.pop());
    });
    await isAtWork('one');
    begin('two');
    const stopped = stop();
    await pass(clock, 2_000);
    expect(atWork).toEqual(['one']);
    ended();
    await stopped;
    await pass(clock, 1_100);
    expect(atWork).toEqual(['two']);
  });

  it('is ended when the lease is lost', async () => {
    begin('one');
    await isAtWork('one');
    leasing.take('timers');
    await pass(clock, 10_000);
    expect([atWork, errors]).toEqual([[], []]);
  });

  it('is ended by who cannot hold on to the lease, before another can have it', async () => {
    const unreachable = { ...leasing.leases, extend: () => Promise.reject(new StoreUnavailable('MongoDB is gone')) };
    begin('one', { leases: unreachable });
    await isAtWork('one');
    begin('two');
    await until(clock, 'the end of one', () => !atWork.includes('one'));
    await isAtWork('two');
    expect(atWork).toEqual(['two']);
  });

  it('is taken up again when the leases come back, and an outage is told once', async () => {
    let broken = true;
    const failing: Leased['leases'] = {
      ...leasing.leases,
      acquire: (...asked) => (broken ? Promise.reject(new StoreUnavailable('MongoDB is gone')) : leasing.leases.acquire(...asked)),
    };
    begin('one', { leases: failing });
    await pass(clock, 10_000);
    expect(errors).toHaveLength(1);
    broken = false;
    await isAtWork('one');
  });

  const cannot = (): never => {
    throw new Error('cannot');
  };
  it.each([
    ['be begun', cannot],
    ['be ended', () => async () => cannot()],
  ])('lets go of the lease when it cannot %s', async (_, start) => {
    const stop = begin('one', {}, start);
    await yieldToEventLoop();
    clock.advance(1);
    await yieldToEventLoop();
    await stop();
    expect(errors).toHaveLength(1);
    expect(leasing.holderOf('timers')).toBeNull();
  });
});
