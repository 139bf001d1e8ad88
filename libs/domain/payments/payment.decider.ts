import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta, type Message } from '../../eventsourcing/message.js';
import type { OrderId, PaymentId } from '../ids.js';
import type { PaymentEvent, PaymentStatus } from './payment.events.js';
import type { PaymentTerms } from '../payment-terms.js';

export type PaymentCommand =
  | Message<'CreatePayment', { readonly paymentId: PaymentId; readonly orderId: OrderId } & PaymentTerms>
  /** Records the gateway's outcome of the charge. */
  | Message<
      'SettlePayment',
      {
        readonly paymentId: PaymentId;
        readonly outcome: { readonly status: 'succeeded' } | { readonly status: 'failed'; readonly reason: string };
      }
    >
  /** Records that the gateway refunded the payment. */
  | Message<'RecordRefund', { readonly paymentId: PaymentId }>;

/**
 * Commands that need the payment gateway. Domain processes send them. Their handlers call the gateway, and then record the
 * outcome with SettlePayment or RecordRefund.
 */
export type GatewayCommand =
  Message<'ChargePayment', { readonly paymentId: PaymentId }> | Message<'RefundPayment', { readonly paymentId: PaymentId }>;

/** A requested payment, with all that a charge or a refund needs. */
type ExistingPayment = {
  /** Read models do not have `refunded`: they show a refunded payment as `succeeded`. */
  readonly status: PaymentStatus | 'refunded';
  readonly tenant: string;
  readonly orderId: OrderId;
  readonly amount: string;
  readonly currency: string;
  readonly reference: string;
};

export type PaymentState = { readonly status: 'unrequested'; readonly tenant: null } | ExistingPayment;

export type PaymentRejection =
  /** The stream already exists for another order. */
  'payment_exists' | 'payment_not_found';

type Decision = readonly PaymentEvent[] | Rejection<PaymentRejection>;
type CommandData<T extends PaymentCommand['type']> = Extract<PaymentCommand, { type: T }>['data'];

const decide = (command: PaymentCommand, payment: PaymentState): Decision => {
  if (command.type === 'CreatePayment') return request(command.data, payment);
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

/**
 * Requests a payment. A repeated command changes nothing: the HTTP request and the process
 * order-payment-started-requests-payment both send it.
 */
const request = (
  { orderId, amount, currency, source, reference, payer }: CommandData<'CreatePayment'>,
  payment: PaymentState,
): Decision => {
  if (payment.status !== 'unrequested') return payment.orderId === orderId ? [] : rejected('payment_exists');
  return [{ type: 'PaymentRequested', data: { orderId, amount, currency, source, reference, ...(payer && { payer }) } }];
};

/** Records the outcome of the charge. Only the first outcome counts. */
const settle = ({ outcome }: CommandData<'SettlePayment'>, { status, orderId }: ExistingPayment): Decision => {
  if (status !== 'processing') return [];
  return outcome.status === 'succeeded'
    ? [{ type: 'PaymentSucceeded', data: { orderId } }]
    : [{ type: 'PaymentFailed', data: { orderId, reason: outcome.reason } }];
};

/**
 * Returns null if the payment can be refunded, otherwise the rejection. A payment that is still processing cannot be
 * refunded. If it succeeds after its order was cancelled, the process payment-approves-order requests the refund.
 */
export const checkRefundable = ({ status }: PaymentState): Rejection<'payment_not_refundable'> | null =>
  status === 'succeeded' ? null : rejected('payment_not_refundable');

const evolve = (payment: PaymentState, event: PaymentEvent, meta: EventMeta): PaymentState => {
  if (event.type === 'PaymentRequested') {
    const { orderId, amount, currency, reference } = event.data;
    return { status: 'processing', tenant: meta.tenant, orderId, amount, currency, reference };
  }
  return payment.status === 'unrequested' ? payment : { ...payment, status: STATUS_AFTER[event.type] };
};

const STATUS_AFTER = { PaymentSucceeded: 'succeeded', PaymentFailed: 'failed', PaymentRefunded: 'refunded' } as const;

/** Decides what can happen to a payment, from request to refund. */
export const paymentDecider: Decider<PaymentState, PaymentCommand, PaymentEvent, PaymentRejection> = {
  initial: { status: 'unrequested', tenant: null },
  decide,
  evolve,
};
