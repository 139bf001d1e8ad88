import { amountDue, mismatches, type OrderState } from './order.decider.js';
import type { CallbackWish, OrderStatus } from './order.events.js';

/** What becomes of a callback's check. */
export type CallbackCheck =
  | {
      readonly status: 'COMPLETED';
      readonly result: { readonly orderStatus: OrderStatus; readonly amountDue: string; readonly currency: string };
    }
  | { readonly status: 'FAILED'; readonly result: { readonly reason: string } };

/**
 * "COMPLETED with result {orderStatus, amountDue, currency} when the order is open or paid and amount and currency match
 * what is due, else FAILED with result {reason}." Where the pet had no price, any amount is due, as for a payment.
 */
export const checkForCallback = (order: OrderState, asked: Pick<CallbackWish, 'amount' | 'currency'>): CallbackCheck => {
  if (order.status === 'unplaced' || order.status === 'removed') return failed('there is no such order any more');
  if (order.status === 'cancelled') return failed('the order was cancelled');
  const [wrong] = mismatches(asked, order);
  if (wrong) return failed(WRONG[wrong]);
  return {
    status: 'COMPLETED',
    result: { orderStatus: order.status, amountDue: amountDue(order) ?? asked.amount, currency: asked.currency },
  };
};

const WRONG = { amount: 'the amount is not what is due', currency: 'the currency is not that of the order' } as const;

const failed = (reason: string): CallbackCheck => ({ status: 'FAILED', result: { reason } });
