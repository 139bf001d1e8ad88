import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Delivery } from '../../deliveries/delivery.js';
import { openDeliveries, pendingDelivery } from '../../deliveries/deliveries.fixtures.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { startDeletingDelivered } from './delete-delivered.js';
import { override } from '../../eventsourcing/testing/override.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2026-01-02T00:00:00.000Z');

/** Returns a delivery that was delivered at START. */
const delivered = (id: string): Delivery => {
  const at = new Date(START).toISOString();
  const attempts = [{ at, url: 'https://shop.example.com', durationMilliseconds: 0, status: 204 }];
  return pendingDelivery(id, { status: 'delivered', nextAttemptAt: null, createdAt: at, attempts });
};

describe('deliveries that were delivered', () => {
  let clock: ManualClock;
  let scene: ReturnType<typeof openDeliveries>;
  let counts: number[];
  let errors: unknown[];
  beforeEach(() => {
    clock = manualClock(START);
    scene = openDeliveries(clock);
    [counts, errors] = [[], []];
  });

  const start = (documents = scene.documents): (() => Promise<void>) =>
    startDeletingDelivered({
      ...{ clock, documents, deliveryRetentionMilliseconds: 2 * HOUR },
      onDeliveriesDeleted: (count) => void counts.push(count),
      onError: (error) => void errors.push(error),
    });
  const pass = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    for (let turns = 0; turns < 20; turns++) await yieldToEventLoop();
  };

  it('are deleted at the first hourly run after the retention, and their number is reported', async () => {
    for (const id of ['a', 'b']) await scene.deliveries.putNew(delivered(id));
    const stop = start();
    for (let run = 0; run < 2; run++) await pass(run === 0 ? MINUTE : HOUR);
    expect([(await scene.deliveries.read('a'))?.status, counts]).toEqual(['delivered', []]);
    await pass(HOUR);
    expect([await scene.deliveries.read('a'), await scene.deliveries.read('b'), counts]).toEqual([null, null, [2]]);
    await pass(DAY);
    expect([counts, errors]).toEqual([[2], []]);
    await stop();
  });

  it('stay after the worker has stopped', async () => {
    await scene.deliveries.putNew(delivered('a'));
    await start()();
    await pass(DAY);
    expect([(await scene.deliveries.read('a'))?.status, counts]).toEqual(['delivered', []]);
  });

  it('are deleted in portions, and a stop waits only for the current one', async () => {
    for (let n = 0; n < 250; n++) await scene.deliveries.putNew(delivered(`d${n}`));
    let stopped: Promise<void> | undefined;
    const apply: Documents['apply'] = (writes) => {
      stopped ??= stop();
      return scene.documents.apply(writes);
    };
    const stop = start(override(scene.documents, { apply }));
    clock.skip(3 * HOUR);
    await pass(0);
    await stopped;
    expect(counts).toEqual([100]);
  });

  it('are deleted by the next run if a run fails, which is reported', async () => {
    await scene.deliveries.putNew(delivered('a'));
    let failures = 1;
    const find: Documents['find'] = (...query) => (failures-- > 0 ? Promise.reject(new Error('down')) : scene.documents.find(...query));
    const stop = start(override(scene.documents, { find }));
    clock.skip(3 * HOUR);
    await pass(0);
    expect([counts, errors]).toEqual([[], [expect.objectContaining({ message: 'down' })]]);
    await pass(HOUR);
    expect(counts).toEqual([1]);
    await stop();
  });
});
