import { beforeEach, describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { CheckpointWaits } from './checkpoint-waits.js';
import { advanceBy } from '../following/following.fixtures.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';

describe('waiting until a read model reaches a position', () => {
  let clock: ManualClock;
  let positions: Record<string, number>;
  let polled: string[];
  /** Runs before each checkpoint is returned. */
  let beforeReturn: (name: string) => Promise<void>;
  let waits: CheckpointWaits;

  beforeEach(() => {
    clock = manualClock();
    [positions, polled] = [{ pets: 0, orders: 0 }, []];
    beforeReturn = () => Promise.resolve();
    waits = new CheckpointWaits(
      {
        async checkpoint(name) {
          polled.push(name);
          await beforeReturn(name);
          return positions[name] ?? 0;
        },
      },
      clock,
    );
  });
  /** Records the result of a wait, and how long it took. */
  const outcomeOf = (waiting: Promise<boolean>) => {
    const started = clock.now().getTime();
    const outcome: { isReached?: boolean; after?: number } = {};
    void waiting.then((isReached) => Object.assign(outcome, { isReached, after: clock.now().getTime() - started }));
    return outcome;
  };
  const never = (): Promise<void> => new Promise(() => undefined);
  const down = (): Promise<void> => Promise.reject(new StoreUnavailable('MongoDB is down'));

  it('ends at once if the position is reached', async () => {
    positions['pets'] = 7;
    expect(await waits.waitFor('pets', 7, 500)).toBe(true);
    expect([polled, waits.lastKnown('pets')]).toEqual([['pets'], 7]);
  });

  it('does not poll if the checkpoint had reached the position at the last poll', async () => {
    positions['pets'] = 7;
    await waits.waitFor('pets', 7, 500);
    expect(await waits.waitFor('pets', 5, 500)).toBe(true);
    expect(polled).toHaveLength(1);
  });

  it('ends soon after the position is reached', async () => {
    const outcome = outcomeOf(waits.waitFor('pets', 7, 500));
    await advanceBy(clock, 200);
    expect(outcome).toEqual({});
    positions['pets'] = 8;
    await advanceBy(clock, 100);
    expect(outcome).toMatchObject({ isReached: true });
  });

  it('ends at its timeout, and stops polling', async () => {
    const outcome = outcomeOf(waits.waitFor('pets', 7, 500));
    await advanceBy(clock, 1_000);
    expect(outcome).toEqual({ isReached: false, after: 500 });
    const before = polled.length;
    await advanceBy(clock, 1_000);
    expect([polled.length, clock.waiting()]).toEqual([before, 0]);
  });

  it('does not poll if the timeout is 0', async () => {
    expect(await waits.waitFor('pets', 7, 0)).toBe(false);
    expect(polled).toEqual([]);
  });

  it('shares its polls with other waits for the same read model', async () => {
    positions['pets'] = 7;
    await Promise.all(Array.from({ length: 50 }, (_, index) => waits.waitFor('pets', 1 + (index % 7), 500)));
    expect(polled.length).toBeLessThanOrEqual(2);
  });

  it('polls again after all earlier waits have ended', async () => {
    await Promise.all([waits.waitFor('pets', 1, 500), advanceBy(clock, 600)]);
    positions['pets'] = 1;
    expect(await waits.waitFor('pets', 1, 500)).toBe(true);
  });

  describe.each([
    ['does not answer', () => never()],
    ['fails', () => down()],
  ])('while the database %s', (_, failing) => {
    beforeEach(() => void (beforeReturn = failing));

    it('ends at its timeout', async () => {
      const outcome = outcomeOf(waits.waitFor('pets', 7, 500));
      await advanceBy(clock, 500);
      expect(outcome).toEqual({ isReached: false, after: 500 });
      expect(waits.lastKnown('pets')).toBeNull();
    });

    it('ends at its timeout, even if a longer wait for the same read model started earlier', async () => {
      const long = outcomeOf(waits.waitFor('pets', 7, 2_000));
      await advanceBy(clock, 100);
      const short = outcomeOf(waits.waitFor('pets', 7, 500));
      await advanceBy(clock, 2_000);
      expect([long, short]).toEqual([
        { isReached: false, after: 2_000 },
        { isReached: false, after: 500 },
      ]);
    });
  });

  it('is not delayed by another read model whose checkpoint cannot be read', async () => {
    beforeReturn = (name) => (name === 'orders' ? never() : Promise.resolve());
    const orders = outcomeOf(waits.waitFor('orders', 1, 2_000));
    const pets = outcomeOf(waits.waitFor('pets', 1, 2_000));
    await advanceBy(clock, 100);
    positions['pets'] = 1;
    await advanceBy(clock, 100);
    expect([orders, pets]).toEqual([{}, { isReached: true, after: expect.any(Number) }]);
  });

  it('continues when the database is available again', async () => {
    beforeReturn = down;
    const outcome = outcomeOf(waits.waitFor('pets', 1, 500));
    await advanceBy(clock, 300);
    beforeReturn = () => Promise.resolve();
    positions['pets'] = 1;
    await advanceBy(clock, 100);
    expect(outcome).toMatchObject({ isReached: true });
  });

  it('notices a checkpoint that went back', async () => {
    positions['pets'] = 7;
    await waits.waitFor('pets', 7, 500);
    positions['pets'] = 2;
    const outcome = outcomeOf(waits.waitFor('pets', 9, 500));
    await yieldToEventLoop();
    expect(waits.lastKnown('pets')).toBe(2);
    await advanceBy(clock, 500);
    expect(outcome).toMatchObject({ isReached: false });
  });
});
