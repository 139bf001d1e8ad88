import { describe, expect, it } from '@jest/globals';
import type { Documents, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/yield-to-event-loop.js';
import { startOrderExpiry, type OrderExpiry } from './order-expiry.js';

const HOUR = 3_600_000;
const WAIT = 3_000;

const placed = (count: number): readonly StoredDocument[] =>
  Array.from({ length: count }, (_, index) => ({
    ...{ key: `order-${index}`, json: '{}', revision: 0 },
    fields: { tenant: 'shared', status: 'placed', placedAt: '2026-01-01T00:00:00.000Z' },
  }));

/** Orders that stay placed whatever is asked, and who was asked. */
const opened = (orders: readonly StoredDocument[], answer: (order: string) => Promise<null> = async () => null) => {
  const clock = manualClock('2026-01-02T00:00:00.000Z');
  const asked: string[] = [];
  const errors: unknown[] = [];
  const find: Documents['find'] = async (_, { offset, limit }) => orders.slice(offset, offset + limit);
  const perform: OrderExpiry['perform'] = ({ data: { orderId } }) => {
    asked.push(orderId);
    return answer(orderId);
  };
  const stop = startOrderExpiry({
    clock,
    documents: { find } as Documents,
    perform,
    orderHoldMilliseconds: HOUR,
    onError: (error) => errors.push(error),
  });
  const look = async (): Promise<void> => {
    clock.advance(WAIT);
    for (let turns = 0; turns < 50; turns++) await yieldToEventLoop();
  };
  return { clock, asked, errors, stop, look };
};

describe('orders whose time is over', () => {
  it('are all asked to end, however many there are', async () => {
    const { asked, look, stop } = opened(placed(2_500));
    await look();
    expect(asked).toEqual(placed(2_500).map(({ key }) => key));
    await stop();
  });

  it('are looked for every three seconds however long orders hold their pets, so that none waits more than five', async () => {
    const { asked, clock, stop } = opened(placed(1));
    for (let second = 1; second <= 10; second++) {
      clock.advance(1_000);
      for (let turns = 0; turns < 50; turns++) await yieldToEventLoop();
    }
    expect(asked).toHaveLength(3);
    await stop();
  });

  it('end though one among them cannot, which is told', async () => {
    const broken = async (order: string): Promise<null> => {
      if (order === 'order-1') throw new Error('its events cannot be read');
      return null;
    };
    const { asked, errors, look, stop } = opened(placed(3), broken);
    await look();
    expect(asked).toEqual(['order-0', 'order-1', 'order-2']);
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining('order-1'), cause: expect.any(Error) })]);
    await look();
    expect(asked).toHaveLength(6);
    await stop();
  });

  it('wait for the next look when the store cannot be used, which is told once', async () => {
    const { asked, errors, look, stop } = opened(placed(3), () => Promise.reject(new StoreUnavailable('the log is down')));
    await look();
    expect([asked.length, errors]).toEqual([1, [expect.any(StoreUnavailable)]]);
    await look();
    expect(asked).toHaveLength(2);
    await stop();
  });

  it('are asked no more once it is to stop: what is under way is waited for', async () => {
    let go = (): void => undefined;
    const { asked, look, stop } = opened(placed(3), () => new Promise((resolve) => (go = () => resolve(null))));
    await look();
    const stopped = stop();
    go();
    await stopped;
    expect(asked).toEqual(['order-0']);
  });
});
