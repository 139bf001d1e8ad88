import { describe, expect, it } from '@jest/globals';
import { TEST_TIME, type GivenEvent } from '../../eventsourcing/testing/recorded.js';
import type { PetId } from '../ids.js';
import {
  order,
  details,
  petId,
  paymentId,
  unpriced,
  placed,
  placedUnpriced,
  started,
  paymentFailed,
  approved,
  shipped,
  delivered,
  cancelledUnpaid,
  cancelled,
  removed,
  toPlaced,
  toApproved,
  toShipped,
  toDelivered,
  toCancelled,
  toRemoved,
  place,
  ship,
  deliver,
  remove,
  expire,
} from './order.fixtures.js';
import { amountDue } from './amount-due.js';
import type { OrderEvent } from './order.events.js';

/** Proves rows of contract 42.9. */
describe('placing an order', () => {
  it('is recorded with all agreed terms', () =>
    order
      .given()
      .when(place({ ...details, shipDate: '2026-02-01' }))
      .then({ type: 'OrderPlaced', data: { ...details, shipDate: '2026-02-01' } }));
  it('needs no user, no ship date and no price', () => order.given().when(place(unpriced)).then(placedUnpriced));
  it('changes nothing the second time', () => order.given(placed).when(place()).thenNothing());
  it.each([
    ['approved', toApproved],
    ['delivered', toDelivered],
    ['removed after delivery', [...toDelivered, removed('delivered')]],
  ])('changes nothing once the order is %s', (_, events) =>
    order
      .given(...events)
      .when(place())
      .thenNothing(),
  );
  it.each([
    ['cancelled', toCancelled],
    ['cancelled and removed', toRemoved],
    ['cancelled after approval and removed', [...toApproved, cancelled(paymentId), removed('approved')]],
  ])('is rejected once the order was %s, so that the pet is released', (_, events: GivenEvent<OrderEvent>[]) =>
    order
      .given(...events)
      .when(place())
      .thenRejected('order_exists'),
  );
  it('is rejected if the order was placed for another pet', () =>
    order
      .given(placed)
      .when(place({ ...details, petId: 'pet-2' as PetId }))
      .thenRejected('order_exists'));
  it('is rejected if the removed order was placed for another pet', () =>
    order
      .given(...toRemoved)
      .when(place({ ...details, petId: 'pet-2' as PetId }))
      .thenRejected('order_exists'));
  it.each([1, 100])('accepts a quantity of %d', (quantity) =>
    order.given().when(place({ petId, quantity })).then({ type: 'OrderPlaced', data: { petId, quantity } }),
  );
  it.each([0, -1, 101, 1.5, Number.NaN])('rejects a quantity of %d', (quantity) =>
    order.given().when(place({ petId, quantity })).thenRejected('quantity_out_of_range', ['quantity']),
  );
});

describe('shipping an order', () => {
  it('sets the ship date if the order has none', () =>
    order
      .given(...toApproved)
      .when(ship)
      .then(shipped('2026-02-01')));
  it('keeps the agreed ship date', () =>
    order
      .given({ type: 'OrderPlaced', data: { ...details, shipDate: '2026-03-15' } }, started, approved)
      .when(ship)
      .then(shipped('2026-03-15')));
  it('changes nothing the second time', () =>
    order
      .given(...toShipped)
      .when(ship)
      .thenNothing());
  it.each([
    ['placed', toPlaced],
    ['delivered', toDelivered],
    ['cancelled', toCancelled],
  ])('is rejected when the order is %s', (_, events) =>
    order
      .given(...events)
      .when(ship)
      .thenRejected('order_not_shippable'),
  );
  it('is rejected for an unknown order', () => order.given().when(ship).thenRejected('order_not_found'));
  it('is rejected for a removed order', () =>
    order
      .given(...toShipped, removed('shipped'))
      .when(ship)
      .thenRejected('order_not_found'));
});

describe('delivering an order', () => {
  it('is recorded for a shipped order', () =>
    order
      .given(...toShipped)
      .when(deliver)
      .then(delivered));
  it('changes nothing the second time', () =>
    order
      .given(...toDelivered)
      .when(deliver)
      .thenNothing());
  it.each([
    ['placed', toPlaced],
    ['approved', toApproved],
    ['cancelled', toCancelled],
  ])('is rejected when the order is %s', (_, events) =>
    order
      .given(...events)
      .when(deliver)
      .thenRejected('order_not_deliverable'),
  );
  it('is rejected for an unknown order', () => order.given().when(deliver).thenRejected('order_not_found'));
  it('is rejected for a removed order', () =>
    order
      .given(...toDelivered, removed('delivered'))
      .when(deliver)
      .thenRejected('order_not_found'));
});

describe('removing an order', () => {
  it('cancels a placed order', () => order.given(placed).when(remove).then(cancelled(), removed('placed')));
  it('records the cancellation with the payment that is still processing', () =>
    order.given(placed, started).when(remove).then(cancelled(paymentId), removed('placed')));
  it('records the cancellation without a payment if the payment has failed', () =>
    order.given(placed, started, paymentFailed).when(remove).then(cancelled(), removed('placed')));
  it('cancels an approved order, and records its payment', () =>
    order
      .given(...toApproved)
      .when(remove)
      .then(cancelled(paymentId), removed('approved')));
  it.each([
    ['shipped', toShipped],
    ['delivered', toDelivered],
    ['cancelled', toCancelled],
  ] as const)('removes a %s order from reads without cancelling it', (status, events) =>
    order
      .given(...events)
      .when(remove)
      .then(removed(status)),
  );
  it('is rejected the second time', () =>
    order
      .given(...toRemoved)
      .when(remove)
      .thenRejected('order_not_found'));
  it('is rejected for an unknown order', () => order.given().when(remove).thenRejected('order_not_found'));
});

describe('expiry', () => {
  it('cancels an order placed at the given time', () => order.given(placed).when(expire(TEST_TIME)).then(cancelledUnpaid));
  it('cancels an order placed before the given time', () =>
    order.given(placed).when(expire('2026-01-02T03:04:05.001Z')).then(cancelledUnpaid));
  it('changes nothing for an order placed after the given time', () =>
    order.given(placed).when(expire('2026-01-02T03:04:04.999Z')).thenNothing());
  it('compares times, not texts', () => order.given(placed).when(expire('2026-01-02T05:04:05+02:00')).then(cancelledUnpaid));
  it('changes nothing when the given time is not a time', () => order.given(placed).when(expire('yesterday')).thenNothing());
  it('cancels an order after a failed payment', () =>
    order.given(placed, started, paymentFailed).when(expire(TEST_TIME)).then(cancelledUnpaid));
  it('is rejected while a payment is processing', () =>
    order.given(placed, started).when(expire(TEST_TIME)).thenRejected('payment_processing'));
  it.each([
    ['unknown', []],
    ['approved', toApproved],
    ['shipped', toShipped],
    ['delivered', toDelivered],
    ['cancelled', toCancelled],
    ['removed', toRemoved],
  ])('changes nothing for an order that is %s', (_, events) =>
    order
      .given(...events)
      .when(expire(TEST_TIME))
      .thenNothing(),
  );
});

describe('an order’s state', () => {
  const tenant = '0190f5de-0000-7000-8000-000000000001';

  it('has no tenant before the order is placed', () => expect(order.given().state.tenant).toBeNull());
  it('has the tenant that placed the order, in every status', () => {
    const [first, ...rest] = [{ ...placed, meta: { tenant } }, started, approved, shipped('2026-02-01'), delivered, removed('delivered')];
    for (let length = 0; length <= rest.length; length++) expect(order.given(first, ...rest.slice(0, length)).state.tenant).toBe(tenant);
  });
  it('has an amount due, which is the price at placing times the quantity, paid or not', () => {
    for (const events of [toPlaced, toApproved, toDelivered, toCancelled, toRemoved])
      expect(amountDue(order.given(...events).state)).toBe('90.00');
  });
  it('has no amount due without a price or before it is placed', () => {
    expect(amountDue(order.given(placedUnpriced).state)).toBeNull();
    expect(amountDue(order.given().state)).toBeNull();
  });
});
