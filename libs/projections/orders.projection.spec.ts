import { describe, expect, it } from '@jest/globals';
import type { CallbackRequestId, PaymentId, PetId } from '../domain/ids.js';
import type { OrderDetails, OrderEvent } from '../domain/orders/order.events.js';
import { foldProjection } from '../eventsourcing/testing/fold-projection.js';
import { recorded, type GivenEvent } from '../eventsourcing/testing/recorded.js';
import { ordersProjection, type Order } from './orders.projection.js';

const petId = '0190-3' as PetId;
const paymentId = '0190-2' as PaymentId;
const at = (second: number) => ({ time: `2026-01-02T03:04:0${second}.000Z` });
const bare: OrderDetails = { petId, quantity: 1 };
const everything: OrderDetails = { petId, userId: 'alice', quantity: 3, shipDate: '2026-02-01', unitPrice: '19.99', currency: 'EUR' };

const placed = (details: OrderDetails = everything) => ({ type: 'OrderPlaced', data: details, meta: at(1) }) as const;
const started = {
  type: 'OrderPaymentStarted',
  data: {
    paymentId,
    amount: '59.97',
    currency: 'EUR',
    source: { object: 'bank_account', name: { $sealed: 'c2VhbGVk', subject: 'payment:0190-2' }, number: '*****6789' },
    reference: 'ref-canary',
  },
  meta: at(2),
} as const;
const paymentFailed = { type: 'OrderPaymentFailed', data: { paymentId, reason: 'card_declined' }, meta: at(3) } as const;
const approved = { type: 'OrderApproved', data: { petId, paymentId }, meta: at(3) } as const;
const refunded = { type: 'OrderPaymentRefunded', data: { paymentId }, meta: at(6) } as const;
const shipped = { type: 'OrderShipped', data: { shipDate: '2026-03-04' }, meta: at(4) } as const;
const delivered = { type: 'OrderDelivered', data: { petId }, meta: at(5) } as const;

const callbackRequested = {
  type: 'OrderCallbackRequested',
  data: {
    requestId: '0190-9' as CallbackRequestId,
    callbackUrl: 'https://canary.example.com',
    amount: '59.97',
    currency: 'EUR',
    timestamp: '2026-01-02T03:04:05Z',
  },
  meta: at(5),
} as const;
const callbackEnded = {
  type: 'OrderCallbackEnded',
  data: { requestId: callbackRequested.data.requestId, outcome: 'delivered' },
  meta: at(6),
} as const;

const fold = (...events: GivenEvent<OrderEvent>[]) => foldProjection(ordersProjection, events);
const json = (...events: GivenEvent<OrderEvent>[]) => JSON.stringify(fold(...events)?.body);

describe('a placed order', () => {
  it('has all members in the documented order', () =>
    expect(json(placed())).toBe(
      '{"id":"1","petId":"0190-3","userId":"alice","quantity":3,"shipDate":"2026-02-01","status":"placed","complete":false,' +
        '"amountDue":"59.97","currency":"EUR","createdAt":"2026-01-02T03:04:01.000Z","updatedAt":"2026-01-02T03:04:01.000Z"}',
    ));
  it('omits absent fields', () =>
    expect(json(placed(bare))).toBe(
      '{"id":"1","petId":"0190-3","quantity":1,"status":"placed","complete":false,' +
        '"createdAt":"2026-01-02T03:04:01.000Z","updatedAt":"2026-01-02T03:04:01.000Z"}',
    ));
  it('has its tenant, its user and the amount due as fields', () =>
    expect(fold({ ...placed(), meta: { ...at(1), tenant: 'tenant-1' } })?.fields).toStrictEqual({
      tenant: 'tenant-1',
      number: 2 ** 52 + 1,
      status: 'placed',
      petId,
      userId: 'alice',
      placedAt: '2026-01-02T03:04:01.000Z',
      approvedAt: null,
      paymentId: null,
      amountDue: '59.97',
      currency: 'EUR',
    }));
  it('has the number that was recorded', () => expect(fold(placed({ ...bare, number: 8 }))?.fields.number).toBe(8));
  it('has no amount due for a pet without a price', () =>
    expect(fold(placed(bare))?.fields).toMatchObject({ userId: null, amountDue: null, currency: null }));
  it('adds its quantity to the inventory', () => expect(ordersProjection.amount(JSON.parse(json(placed())) as never)).toBe(3));
});

describe('an order’s payments', () => {
  it('show what happened to the last one, and when', () => {
    const shown = (...events: GivenEvent<OrderEvent>[]) => {
      const { paymentStatus, updatedAt } = fold(placed(), ...events)?.body ?? {};
      return [paymentStatus, updatedAt];
    };
    expect(shown()).toEqual([undefined, at(1).time]);
    expect(shown(started)).toEqual(['processing', at(2).time]);
    expect(shown(started, paymentFailed)).toEqual(['failed', at(3).time]);
    expect(shown(started, approved)).toEqual(['succeeded', at(3).time]);
    expect(shown(started, approved, shipped)).toEqual(['succeeded', at(4).time]);
    expect(shown(started, approved, refunded)).toEqual(['refunded', at(6).time]);
  });
  it('leave the rest of the order unchanged until one succeeds', () => {
    const rest = (...events: GivenEvent<OrderEvent>[]) => {
      const document = fold(placed(), ...events);
      return { ...document, body: { ...document?.body, paymentStatus: undefined, updatedAt: undefined } };
    };
    expect(rest(started)).toEqual(rest());
    expect(rest(started, paymentFailed)).toEqual(rest());
  });
  it('raise the revision of the order', () => {
    expect(ordersProjection.on.OrderPaymentStarted).not.toBe('ignore');
    expect(ordersProjection.on.OrderPaymentFailed).not.toBe('ignore');
  });
  it('never add the gateway’s reference to the document', () =>
    expect(JSON.stringify(fold(placed(), started, approved))).not.toContain('ref-canary'));
});

describe('an order’s callbacks', () => {
  it('leave the order unchanged and expose no address', () => {
    expect(fold(placed(), callbackRequested, callbackEnded)).toEqual(fold(placed()));
    expect(fold(callbackRequested)).toBeNull();
  });
  it('raise the revision of the order, so that its entity tag identifies the end of its stream', () => {
    expect(ordersProjection.on.OrderCallbackRequested).not.toBe('ignore');
    expect(ordersProjection.on.OrderCallbackEnded).not.toBe('ignore');
  });
});

describe('an approved order', () => {
  it('has the time of its approval and the payment as fields', () => {
    const document = fold(placed(), started, approved);
    expect(document?.body).toMatchObject({ status: 'approved', complete: false });
    expect(document?.fields).toMatchObject({ status: 'approved', approvedAt: '2026-01-02T03:04:03.000Z', paymentId });
  });
});

describe('a shipped order', () => {
  it('has its ship date', () =>
    expect(fold(placed(bare), started, approved, shipped)).toMatchObject({
      body: { status: 'shipped', complete: false, shipDate: '2026-03-04' },
      fields: { status: 'shipped', paymentId },
    }));
  it('has the same JSON when its document was stored and loaded between events', () => {
    const stored = fold(placed(bare), started, approved);
    const [event] = recorded([shipped], 'order-1');
    const later =
      stored && event && ordersProjection.on.OrderShipped !== 'ignore'
        ? ordersProjection.on.OrderShipped({ ...stored, body: JSON.parse(JSON.stringify(stored.body)) as Order }, event.data, event.meta)
        : null;
    expect(JSON.stringify(later?.body)).toBe(json(placed(bare), started, approved, shipped));
  });
});

describe('a delivered order', () => {
  it('is complete', () =>
    expect(fold(placed(), started, approved, shipped, delivered)).toMatchObject({
      body: { status: 'delivered', complete: true },
      fields: { status: 'delivered', approvedAt: '2026-01-02T03:04:03.000Z' },
    }));
});

describe('a cancelled order', () => {
  const cancelled = { type: 'OrderCancelled', data: { reason: 'unpaid', petId } } as const;
  it('has the status cancelled', () =>
    expect(fold(placed(), cancelled)).toMatchObject({ body: { status: 'cancelled', complete: false }, fields: { status: 'cancelled' } }));
  it('has no document once it is removed', () =>
    expect(fold(placed(), cancelled, { type: 'OrderRemoved', data: { petId, status: 'cancelled' } })).toBeNull());
});

describe('the orders', () => {
  it('ignore events of an unknown order', () => expect(fold(approved, shipped, delivered, started)).toBeNull());
});
