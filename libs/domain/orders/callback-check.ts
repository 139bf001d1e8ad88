import { amountDue, mismatchedFields } from './amount-due.js';
import type { OrderState } from './order.decider.js';
import type { CallbackTerms, OrderStatus } from './order.events.js';

/** The result of an order callback, as it is sent to the receiver. */
export type CallbackResult =
  | {
      readonly status: 'COMPLETED';
      readonly result: { readonly orderStatus: OrderStatus; readonly amountDue: string; readonly currency: string };
    }
  | { readonly status: 'FAILED'; readonly result: { readonly reason: string } };

/**
 * Compares an order with the amount and currency that a callback request expects (contract 17.4). If the pet had no price
 * when it was ordered, any amount and currency match, as for a payment.
 */
export const checkForCallback = (order: OrderState, expected: Pick<CallbackTerms, 'amount' | 'currency'>): CallbackResult => {
  if (order.status === 'unplaced' || order.status === 'removed') return failed('the order does not exist or was removed');
  if (order.status === 'cancelled') return failed('the order was cancelled');
  const [mismatch] = mismatchedFields(expected, order);
  if (mismatch) return failed(MISMATCH_REASONS[mismatch]);
  return {
    status: 'COMPLETED',
    result: { orderStatus: order.status, amountDue: amountDue(order) ?? expected.amount, currency: expected.currency },
  };
};

const MISMATCH_REASONS = {
  amount: 'the amount differs from the amount due',
  currency: 'the currency differs from the currency of the order',
} as const;

const failed = (reason: string): CallbackResult => ({ status: 'FAILED', result: { reason } });
