import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta } from '../../eventsourcing/message.js';
import type { OrderId } from '../ids.js';
import type { PaymentCommand } from './payment.commands.js';
import type { PaymentEvent, PaymentStatus } from './payment.events.js';

/** A payment that exists: all that a charge or a refund needs. */
type KnownPayment = {
  /** `refunded` is told apart here alone: to readers such a payment has succeeded. */
  readonly status: PaymentStatus | 'refunded';
  readonly tenant: string;
  readonly orderId: OrderId;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
};

export type PaymentState = { readonly status: 'unrequested'; readonly tenant: null } | KnownPayment;

export type PaymentRejection =
  /** The stream has begun already, for another order. */
  'payment_exists' | 'payment_not_found';

type Decision = readonly PaymentEvent[] | Rejection<PaymentRejection>;
type Wish<T extends PaymentCommand['type']> = Extract<PaymentCommand, { type: T }>['data'];

const decide = (command: PaymentCommand, payment: PaymentState): Decision => {
  if (command.type === 'RequestPayment') return request(command.data, payment);
  if (payment.status === 'unrequested') return rejected('payment_not_found');
  switch (command.type) {
    case 'SettlePayment':
      return settle(command.data, payment);
    case 'RecordRefund':
      return payment.status === 'succeeded' ? [{ type: 'PaymentRefunded', data: { orderId: payment.orderId } }] : [];
    default:
      return unreachable(command);
  }
};

/** Safe to repeat, since the caller and the process that heals a kill may both ask. */
const request = ({ orderId, amount, currency, source, reference }: Wish<'RequestPayment'>, payment: PaymentState): Decision => {
  if (payment.status !== 'unrequested') return payment.orderId === orderId ? [] : rejected('payment_exists');
  return [{ type: 'PaymentRequested', data: { orderId, amount, currency, source, reference } }];
};

/** A charge has one outcome: the first that is recorded. */
const settle = ({ outcome }: Wish<'SettlePayment'>, { status, orderId }: KnownPayment): Decision => {
  if (status !== 'processing') return [];
  return outcome.status === 'succeeded'
    ? [{ type: 'PaymentSucceeded', data: { orderId } }]
    : [{ type: 'PaymentFailed', data: { orderId, reason: outcome.reason } }];
};

/** A payment still processing is not given back now: once it succeeds it finds its order closed, and is asked for again. */
export const refuseRefund = ({ status }: PaymentState): Rejection<'payment_not_refundable'> | null =>
  status === 'succeeded' ? null : rejected('payment_not_refundable');

const evolve = (payment: PaymentState, event: PaymentEvent, meta: EventMeta): PaymentState => {
  if (event.type === 'PaymentRequested') {
    const { orderId, amount, currency, reference } = event.data;
    return { status: 'processing', tenant: meta.tenant, orderId, amount, currency, reference };
  }
  return payment.status === 'unrequested' ? payment : { ...payment, status: STATUS_AFTER[event.type] };
};

const STATUS_AFTER = { PaymentSucceeded: 'succeeded', PaymentFailed: 'failed', PaymentRefunded: 'refunded' } as const;

/** What may happen to a payment, from request to refund. */
export const paymentDecider: Decider<PaymentState, PaymentCommand, PaymentEvent, PaymentRejection> = {
  initial: { status: 'unrequested', tenant: null },
  decide,
  evolve,
};
