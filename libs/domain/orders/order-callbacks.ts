import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { CallbackRequestId } from '../ids.js';
import type { CallbackOutcome, CallbackTerms, OrderEvent } from './order.events.js';

/**
 * The maximum number of open callbacks per order (contract 17.3). For a requested callback, the service checks the order and
 * sends the result to the client's URL. The callback is open until the result is delivered or parked.
 */
export const MAX_OPEN_CALLBACKS = 5;
/**
 * The maximum number of callbacks of an order, open or ended (contract 17.3). Each callback adds two events to the
 * order's stream, and every command on the order reads the whole stream.
 */
export const MAX_CALLBACKS = 100;

/**
 * The callbacks of an order. `requested` lists all of them, so that a repeated request is recognised. `open` lists those
 * that have not ended.
 */
export type OrderCallbacks = { readonly requested: readonly CallbackRequestId[]; readonly open: readonly CallbackRequestId[] };

export const NO_CALLBACKS: OrderCallbacks = { requested: [], open: [] };

/** Why a callback request is rejected: MAX_OPEN_CALLBACKS are open, or the order has had MAX_CALLBACKS in total. */
export type CallbackRejection = 'too_many_open_callbacks' | 'too_many_callbacks';
type Decision = readonly OrderEvent[] | Rejection<CallbackRejection>;

/** Records a callback request once per `requestId`. */
export const requestCallback = (
  { requestId, callbackUrl, amount, currency, timestamp }: { readonly requestId: CallbackRequestId } & CallbackTerms,
  callbacks: OrderCallbacks,
): Decision => {
  if (callbacks.requested.includes(requestId)) return [];
  if (callbacks.open.length >= MAX_OPEN_CALLBACKS) return rejected('too_many_open_callbacks');
  if (callbacks.requested.length >= MAX_CALLBACKS) return rejected('too_many_callbacks');
  return [{ type: 'OrderCallbackRequested', data: { requestId, callbackUrl, amount, currency, timestamp } }];
};

/** Records the outcome of a callback once. */
export const endCallback = (
  { requestId, outcome }: { readonly requestId: CallbackRequestId; readonly outcome: CallbackOutcome },
  { open }: OrderCallbacks,
): readonly OrderEvent[] => (open.includes(requestId) ? [{ type: 'OrderCallbackEnded', data: { requestId, outcome } }] : []);

/** Returns the callbacks after OrderCallbackRequested. */
export const addCallback = ({ requested, open }: OrderCallbacks, requestId: CallbackRequestId): OrderCallbacks => ({
  requested: [...requested, requestId],
  open: [...open, requestId],
});

/** Returns the callbacks after OrderCallbackEnded. */
export const closeCallback = ({ requested, open }: OrderCallbacks, requestId: CallbackRequestId): OrderCallbacks => ({
  requested,
  open: open.filter((id) => id !== requestId),
});
