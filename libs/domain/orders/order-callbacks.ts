import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { CallbackRequestId } from '../ids.js';
import type { CallbackOutcome, CallbackWish, OrderEvent } from './order.events.js';

/** "At most 5 callbacks are open for one order." */
export const MAX_OPEN_CALLBACKS = 5;
/** Over its whole life: each is two events that every reader of the order goes through. */
export const MAX_CALLBACKS = 100;

/** Every callback ever asked for, so that a repeat is known, and those that have not come to their end. */
export type OrderCallbacks = { readonly requested: readonly CallbackRequestId[]; readonly open: readonly CallbackRequestId[] };

export const NO_CALLBACKS: OrderCallbacks = { requested: [], open: [] };

/** Why no callback of an order may be asked for: too many are on their way, or all that there may be were asked for. */
export type CallbackRejection = 'too_many_open_callbacks' | 'too_many_callbacks';
type Decision = readonly OrderEvent[] | Rejection<CallbackRejection>;

/** Records that somebody is to be told; what was asked for before is asked for already. */
export const requestCallback = (wish: { readonly requestId: CallbackRequestId } & CallbackWish, callbacks: OrderCallbacks): Decision => {
  const { requestId, callbackUrl, amount, currency, timestamp } = wish;
  if (callbacks.requested.includes(requestId)) return [];
  if (callbacks.open.length >= MAX_OPEN_CALLBACKS) return rejected('too_many_open_callbacks');
  if (callbacks.requested.length >= MAX_CALLBACKS) return rejected('too_many_callbacks');
  return [{ type: 'OrderCallbackRequested', data: { requestId, callbackUrl, amount, currency, timestamp } }];
};

/** Records how a callback ended, once. */
export const endCallback = (
  { requestId, outcome }: { readonly requestId: CallbackRequestId; readonly outcome: CallbackOutcome },
  { open }: OrderCallbacks,
): readonly OrderEvent[] => (open.includes(requestId) ? [{ type: 'OrderCallbackEnded', data: { requestId, outcome } }] : []);

/** The callbacks once another is open. */
export const withOpen = ({ requested, open }: OrderCallbacks, requestId: CallbackRequestId): OrderCallbacks => ({
  requested: [...requested, requestId],
  open: [...open, requestId],
});

/** The callbacks once one has come to its end. */
export const withEnded = ({ requested, open }: OrderCallbacks, requestId: CallbackRequestId): OrderCallbacks => ({
  requested,
  open: open.filter((id) => id !== requestId),
});
