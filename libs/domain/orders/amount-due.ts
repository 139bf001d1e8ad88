import { isSameAmount, multiplyAmount } from '../money.js';
import type { OrderDetails } from './order.events.js';

/** An order that was placed, as far as its price is concerned. */
type PricedOrder = { readonly terms: Pick<OrderDetails, 'quantity' | 'unitPrice' | 'currency'> };

/**
 * Returns the amount due as decimal text (contract 17.5): the quantity times the price that the pet had when it was reserved.
 * Null if it had no price, and for an order that was never placed.
 */
export const amountDue = (order: PricedOrder | { readonly status: 'unplaced' }): string | null =>
  'terms' in order && order.terms.unitPrice !== undefined ? multiplyAmount(order.terms.unitPrice, order.terms.quantity) : null;

/**
 * Returns the fields whose values differ from what is due for the order. If the pet had no price, any amount and currency
 * match (contract 15.3).
 */
export const mismatchedFields = (
  { amount, currency }: { readonly amount: string; readonly currency: string },
  order: PricedOrder,
): readonly ('amount' | 'currency')[] => {
  if (order.terms.unitPrice === undefined) return [];
  const due = amountDue(order);
  return [
    ...(due !== null && isSameAmount(amount, due) ? [] : (['amount'] as const)),
    ...(order.terms.currency === undefined || order.terms.currency === currency ? [] : (['currency'] as const)),
  ];
};
