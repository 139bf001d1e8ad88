import { describe, it } from '@jest/globals';
import type { GivenEvent } from '../../eventsourcing/testing/recorded.js';
import type { CallbackRequestId } from '../ids.js';
import {
  order,
  orderId,
  paymentFailed,
  started,
  toApproved,
  toCancelled,
  toDelivered,
  toPlaced,
  toRemoved,
  toShipped,
} from './order.fixtures.js';
import type { CallbackOutcome, OrderEvent } from './order.events.js';

const terms = {
  callbackUrl: 'https://shop.example.com/callbacks',
  amount: '90.00',
  currency: 'EUR',
  timestamp: '2026-01-02T03:04:05Z',
};
const idOf = (number: number) => `request-${number}` as CallbackRequestId;

const requested = (number: number) => ({ type: 'OrderCallbackRequested', data: { requestId: idOf(number), ...terms } }) as const;
const ended = (number: number, outcome: CallbackOutcome = 'delivered') =>
  ({ type: 'OrderCallbackEnded', data: { requestId: idOf(number), outcome } }) as const;
const request = (number: number) => ({ type: 'RequestOrderCallback', data: { orderId, requestId: idOf(number), ...terms } }) as const;
const end = (number: number, outcome: CallbackOutcome = 'delivered') =>
  ({ type: 'EndOrderCallback', data: { orderId, requestId: idOf(number), outcome } }) as const;

const five: GivenEvent<OrderEvent>[] = [1, 2, 3, 4, 5].map(requested);

describe('requesting a callback', () => {
  it.each([
    ['placed', toPlaced],
    ['approved', toApproved],
    ['shipped', toShipped],
    ['delivered', toDelivered],
    ['cancelled', toCancelled],
  ])('is recorded for an order that is %s', (_, events) =>
    order
      .given(...events)
      .when(request(1))
      .then(requested(1)),
  );
  it.each([
    ['never placed', []],
    ['removed', toRemoved],
  ])('is rejected for an order that was %s', (_, events: GivenEvent<OrderEvent>[]) =>
    order
      .given(...events)
      .when(request(1))
      .thenRejected('order_not_found'),
  );
  it('is rejected after a hundred callbacks, whether open or ended', () =>
    order
      .given(...toPlaced, ...Array.from({ length: 100 }, (_, index) => [requested(index), ended(index)]).flat())
      .when(request(100))
      .thenRejected('too_many_callbacks'));
  it('is recorded once per request, even after the callback has ended', () => {
    order
      .given(...toPlaced, requested(1))
      .when(request(1))
      .thenNothing();
    order
      .given(...toPlaced, requested(1), ended(1))
      .when(request(1))
      .thenNothing();
  });
  it('is rejected while five callbacks are open', () =>
    order
      .given(...toPlaced, ...five)
      .when(request(6))
      .thenRejected('too_many_open_callbacks'));
  it('changes nothing when it repeats one of five open requests', () =>
    order
      .given(...toPlaced, ...five)
      .when(request(3))
      .thenNothing());
  it('is possible again once one of five open callbacks has ended with any outcome', () => {
    for (const outcome of ['delivered', 'parked'] as const)
      order
        .given(...toPlaced, ...five, ended(2, outcome))
        .when(request(6))
        .then(requested(6));
  });
  it('still counts open callbacks after the order changes', () =>
    order
      .given(...toPlaced, ...five, started, paymentFailed)
      .when(request(6))
      .thenRejected('too_many_open_callbacks'));
});

describe('the end of a callback', () => {
  it.each(['delivered', 'parked'] as const)('is recorded as %s', (outcome) =>
    order
      .given(...toPlaced, requested(1))
      .when(end(1, outcome))
      .then(ended(1, outcome)),
  );
  it('is recorded once, so a parked callback stays parked', () =>
    order
      .given(...toPlaced, requested(1), ended(1, 'parked'))
      .when(end(1))
      .thenNothing());
  it('changes nothing for a callback that was never requested', () =>
    order
      .given(...toPlaced)
      .when(end(1))
      .thenNothing());
  it('changes nothing once the order is removed', () =>
    order
      .given(requested(1), ...toRemoved)
      .when(end(1))
      .thenNothing());
});
