import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { CheckpointWaits } from './checkpoint-waits.js';
import { pass } from '../following/following.fixtures.js';
import { yieldToEventLoop } from '../../eventsourcing/yield-to-event-loop.js';

describe('waiting until a read model has come so far', () => {
  let clock: ManualClock;
  let positions: Record<string, number>;
  let asked: string[];
  /** Stands in front of each answer. */
  let answering: (name: string) => Promise<void>;
  let waits: CheckpointWaits;

  beforeEach(() => {
    clock = manualClock();
    [positions, asked] = [{ pets: 0, orders: 0 }, []];
    answering = () => Promise.resolve();
    waits = new CheckpointWaits(
      {
        async checkpoint(name) {
          asked.push(name);
          await answering(name);
          return positions[name] ?? 0;
        },
      },
      clock,
    );
  });
  /** What it came to, and after how long. */
  const outcomeOf = (waiting: Promise<boolean>) => {
    const begun = clock.now().getTime();
    const outcome: { there?: boolean; after?: number } = {};
    void waiting.then((there) => Object.assign(outcome, { there, after: clock.now().getTime() - begun }));
    return outcome;
  };
  const never = (): Promise<void> => new Promise(() => undefined);
  const gone = (): Promise<void> => Promise.reject(new StoreUnavailable('MongoDB is gone'));

  it('ends at once where it has', async () => {
    positions['pets'] = 7;
    expect(await waits.reaches('pets', 7, 500)).toBe(true);
    expect([asked, waits.lastSeen('pets')]).toEqual([['pets'], 7]);
  });

  it('asks for nothing that is known', async () => {
    positions['pets'] = 7;
    await waits.reaches('pets', 7, 500);
    expect(await waits.reaches('pets', 5, 500)).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('ends soon after it does', async () => {
    const outcome = outcomeOf(waits.reaches('pets', 7, 500));
    await pass(clock, 200);
    expect(outcome).toEqual({});
    positions['pets'] = 8;
    await pass(clock, 100);
    expect(outcome).toMatchObject({ there: true });
  });

  it('ends when the time is over, and asks no more', async () => {
    const outcome = outcomeOf(waits.reaches('pets', 7, 500));
    await pass(clock, 1_000);
    expect(outcome).toEqual({ there: false, after: 500 });
    const before = asked.length;
    await pass(clock, 1_000);
    expect([asked.length, clock.waiting()]).toEqual([before, 0]);
  });

  it('does not begin where there is no time for it', async () => {
    expect(await waits.reaches('pets', 7, 0)).toBe(false);
    expect(asked).toEqual([]);
  });

  it('is done by many with one look', async () => {
    positions['pets'] = 7;
    await Promise.all(Array.from({ length: 50 }, (_, index) => waits.reaches('pets', 1 + (index % 7), 500)));
    expect(asked.length).toBeLessThanOrEqual(2);
  });

  it('begins again after it ended', async () => {
    await Promise.all([waits.reaches('pets', 1, 500), pass(clock, 600)]);
    positions['pets'] = 1;
    expect(await waits.reaches('pets', 1, 500)).toBe(true);
  });

  describe.each([
    ['is silent', () => never()],
    ['refuses', () => gone()],
  ])('while the database %s', (_, failing) => {
    beforeEach(() => void (answering = failing));

    it('takes no longer than it may', async () => {
      const outcome = outcomeOf(waits.reaches('pets', 7, 500));
      await pass(clock, 500);
      expect(outcome).toEqual({ there: false, after: 500 });
      expect(waits.lastSeen('pets')).toBeNull();
    });

    it('takes a short wait no longer because a long one of the same reader began before', async () => {
      const long = outcomeOf(waits.reaches('pets', 7, 2_000));
      await pass(clock, 100);
      const short = outcomeOf(waits.reaches('pets', 7, 500));
      await pass(clock, 2_000);
      expect([long, short]).toEqual([
        { there: false, after: 2_000 },
        { there: false, after: 500 },
      ]);
    });
  });

  it('of one reader is not held up by another whose checkpoint is not answered', async () => {
    answering = (name) => (name === 'orders' ? never() : Promise.resolve());
    const orders = outcomeOf(waits.reaches('orders', 1, 2_000));
    const pets = outcomeOf(waits.reaches('pets', 1, 2_000));
    await pass(clock, 100);
    positions['pets'] = 1;
    await pass(clock, 100);
    expect([orders, pets]).toEqual([{}, { there: true, after: expect.any(Number) }]);
  });

  it('goes on when the database is back', async () => {
    answering = gone;
    const outcome = outcomeOf(waits.reaches('pets', 1, 500));
    await pass(clock, 300);
    answering = () => Promise.resolve();
    positions['pets'] = 1;
    await pass(clock, 100);
    expect(outcome).toMatchObject({ there: true });
  });

  it('learns of positions that came back to the beginning', async () => {
    positions['pets'] = 7;
    await waits.reaches('pets', 7, 500);
    positions['pets'] = 2;
    const outcome = outcomeOf(waits.reaches('pets', 9, 500));
    await yieldToEventLoop();
    expect(waits.lastSeen('pets')).toBe(2);
    await pass(clock, 500);
    expect(outcome).toMatchObject({ there: false });
  });
});
