import { describe, expect, it } from '@jest/globals';
import type { CallbackRequestId } from '../../domain/ids.js';
import { recorded } from '../../eventsourcing/testing/recorded.js';
import { callbackDelivery, type CallbackRequested } from './announcements.js';

const request: CallbackRequested['data'] = {
  requestId: 'q1' as CallbackRequestId,
  callbackUrl: 'https://shop.example.com/callback',
  amount: '180.00',
  currency: 'EUR',
  timestamp: '2026-01-02T03:04:05Z',
};
const check = { status: 'COMPLETED', result: { orderStatus: 'placed', amountDue: '180.00', currency: 'EUR' } } as const;

describe('the delivery of a callback', () => {
  it('is sent to the requested address, and contains the ids of the request and the order', () => {
    const [event] = recorded([{ type: 'OrderCallbackRequested', data: request, meta: { revision: 4 } }] as const, 'order-o1');
    if (!event) throw new Error('there is no event');
    const identified = { ...event, id: '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60' };
    const now = new Date('2026-01-02T03:04:06.000Z');
    const delivery = callbackDelivery(identified, check, now);
    expect(delivery).toMatchObject({
      target: { kind: 'callback', orderId: 'o1', requestId: 'q1', url: 'https://shop.example.com/callback' },
      eventType: 'order.callback',
      status: 'pending',
      sequence: null,
    });
    expect(JSON.parse(delivery.body)).toEqual({ requestId: 'q1', orderId: 'o1', ...check, timestamp: now.toISOString() });
    expect(callbackDelivery(identified, check, new Date()).eventId).toBe(delivery.eventId);
  });
});
