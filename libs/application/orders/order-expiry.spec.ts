import { describe, expect, it } from '@jest/globals';
import type { Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { startOrderExpiry, type OrderExpiry } from './order-expiry.js';

const HOUR = 3_600_000;
const WAIT = 3_000;

const placed = (count: number): readonly StoredDocument[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ key: `order-${index}`, json: '{}', revision: 0 },
    fields: { tenant: 'shared', status: 'placed', placedAt: '2026-01-01T00:00:00.000Z' },
  }));

/**
 * Starts the expiry. The orders stay placed, so every search finds them again. `expired` records every
 * attempt.
 */
const setUp = (orders: readonly StoredDocument[], answer: (order: string) => Promise<null> = async () => null) => {
  const clock = manualClock('2026-01-02T00:00:00.000Z');
  const expired: string[] = [];
  const errors: unknown[] = [];
  const find: Documents['find'] = async (_, { offset, limit }) => orders.slice(offset, offset + limit);
  const execute: OrderExpiry['execute'] = ({ data: { orderId } }) => {
    expired.push(orderId);
    return answer(orderId);
  };
  const stop = startOrderExpiry({
    clock,
    documents: { find } as Documents,
    execute,
    orderHoldMilliseconds: HOUR,
    onError: (error) => errors.push(error),
  });
  const search = async (): Promise<void> => {
    clock.advance(WAIT);
    for (let turns = 0; turns < 50; turns++) await yieldToEventLoop();
  };
  return { clock, expired, errors, stop, search };
};

describe('overdue orders', () => {
  it('all expire in one search, however many there are', async () => {
    const { expired, search, stop } = setUp(placed(2_500));
    await search();
    expect(expired).toEqual(placed(2_500).map(({ key }) => key));
    await stop();
  });

  it('are searched for every three seconds with any ORDER_HOLD, so that no order waits more than five seconds', async () => {
    const { expired, clock, stop } = setUp(placed(1));
    for (let second = 1; second <= 10; second++) {
      clock.advance(1_000);
      for (let turns = 0; turns < 50; turns++) await yieldToEventLoop();
    }
    expect(expired).toHaveLength(3);
    await stop();
  });

  it('expire even if one of them cannot be expired, which is reported', async () => {
    const broken = async (order: string): Promise<null> => {
      if (order === 'order-1') throw new Error('its events cannot be read');
      return null;
    };
    const { expired, errors, search, stop } = setUp(placed(3), broken);
    await search();
    expect(expired).toEqual(['order-0', 'order-1', 'order-2']);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('order-1'), cause: expect.any(Error) })]);
    await search();
    expect(expired).toHaveLength(6);
    await stop();
  });

  it('wait for the next search when the store is unavailable, which is reported once', async () => {
    const { expired, errors, search, stop } = setUp(placed(3), () => Promise.reject(new StoreUnavailable('the log is down')));
    await search();
    expect([expired.length, errors]).toEqual([1, [expect.any(StoreUnavailable)]]);
    await search();
    expect(expired).toHaveLength(2);
    await stop();
  });

  it('no longer expire after a stop, which waits for the current order', async () => {
    let go = (): void => undefined;
    const { expired, search, stop } = setUp(placed(3), () => new Promise((resolve) => (go = () => resolve(null))));
    await search();
    const stopped = stop();
    go();
    await stopped;
    expect(expired).toEqual(['order-0']);
  });
});
