import type { OrderRejection } from '../../../../libs/domain/orders/order.decider.js';
import { MAX_QUANTITY } from '../../../../libs/domain/orders/order.decider.js';
import type { PaymentRejection } from '../../../../libs/domain/payments/payment.decider.js';
import type { PetRejection } from '../../../../libs/domain/pets/pet.decider.js';
import { MAX_CALLBACKS, MAX_OPEN_CALLBACKS } from '../../../../libs/domain/orders/order-callbacks.js';
import { MAX_WEBHOOKS } from '../../../../libs/domain/webhooks/webhook-slots.decider.js';
import type { WebhookRejection } from '../../../../libs/domain/webhooks/webhook.decider.js';
import type { SendingRejection } from '../../../../libs/application/deliveries/delivery.handlers.js';
import type { Rejection } from '../../../../libs/eventsourcing/decider.js';
import type { ErrorCode } from './error-codes.js';
import type { ProblemKind } from './problem-kinds.js';
import { Problem } from './problem.js';

/** Every reason for which the application refuses a command. */
export type Reason =
  | PetRejection
  | OrderRejection
  | PaymentRejection
  | WebhookRejection
  | SendingRejection
  | 'delivery_not_found'
  | 'redelivery_running'
  | 'stretch_not_begun'
  | 'too_many_webhooks'
  | 'precondition_failed'
  | 'contended'
  | 'idempotency_key_reused';

type Refusal = {
  readonly kind: ProblemKind;
  readonly detail: string;
  /** What is wrong with each field that the rejection names; `fields` stand in when it names none. */
  readonly field?: { readonly code: ErrorCode; readonly message: string; readonly fields: readonly string[] };
};

/** What each reason is to a client. A reason that is not here does not compile. */
export const REFUSALS: Readonly<Record<Reason, Refusal>> = {
  pet_exists: { kind: 'conflict', detail: 'This pet exists already.' },
  pet_not_found: { kind: 'not-found', detail: 'There is no such pet.' },
  pet_not_available: { kind: 'conflict', detail: 'This pet is not available: somebody else was faster, or it is not for sale.' },
  price_not_payable: {
    kind: 'conflict',
    detail: 'The price of this pet is in a currency that is no longer in use; it can be ordered once its price is changed.',
  },
  pet_held: { kind: 'conflict', detail: 'An open order holds this pet; its status stays as it is until the order is served or cancelled.' },
  order_exists: { kind: 'conflict', detail: 'This order exists already.' },
  order_not_found: { kind: 'not-found', detail: 'There is no such order.' },
  order_not_payable: { kind: 'conflict', detail: 'This order cannot be paid: it is paid already, or cancelled.' },
  order_not_open: { kind: 'conflict', detail: 'This order is no longer waiting for this payment.' },
  order_not_shippable: { kind: 'conflict', detail: 'Only an approved order can be shipped.' },
  order_not_deliverable: { kind: 'conflict', detail: 'Only a shipped order can be delivered.' },
  quantity_out_of_range: {
    kind: 'validation-failed',
    detail: 'The quantity is out of range.',
    field: { code: 'too_big', message: `must be from 1 to ${MAX_QUANTITY}`, fields: ['quantity'] },
  },
  payment_exists: { kind: 'conflict', detail: 'This payment exists already.' },
  payment_not_found: { kind: 'not-found', detail: 'There is no such payment.' },
  payment_processing: { kind: 'conflict', detail: 'A payment of this order is being processed; wait for its outcome.' },
  payment_mismatch: {
    kind: 'validation-failed',
    detail: 'The payment is not what is due: the price at ordering times the quantity, in its currency.',
    field: { code: 'mismatch', message: 'must equal what is due for the order', fields: ['amount'] },
  },
  card_expired: {
    kind: 'validation-failed',
    detail: 'The card has expired.',
    field: { code: 'expired', message: 'must not lie in the past', fields: ['source.expMonth', 'source.expYear'] },
  },
  too_many_open_callbacks: {
    kind: 'conflict',
    detail: `${MAX_OPEN_CALLBACKS} callbacks of this order are on their way already; ask again when one has arrived or was given up.`,
  },
  too_many_callbacks: {
    kind: 'conflict',
    detail: `${MAX_CALLBACKS} callbacks have been asked for about this order, and there may be no more.`,
  },
  webhook_exists: { kind: 'conflict', detail: 'This webhook endpoint exists already.' },
  webhook_not_found: { kind: 'not-found', detail: 'There is no such webhook endpoint.' },
  webhook_disabled: { kind: 'conflict', detail: 'This webhook endpoint is disabled: nothing is sent to it until it is enabled again.' },
  stretch_not_begun: {
    kind: 'validation-failed',
    detail: 'The stretch of time has not begun.',
    field: { code: 'too_big', message: 'must not lie in the future', fields: ['since'] },
  },
  redelivery_running: {
    kind: 'conflict',
    detail: 'A stretch of time is being sent to this webhook endpoint again already; ask again when it is done.',
  },
  delivery_not_found: { kind: 'not-found', detail: 'There is no such delivery of this webhook endpoint.' },
  too_many_webhooks: {
    kind: 'conflict',
    detail: `There are ${MAX_WEBHOOKS} webhook endpoints already, and there may be no more: delete one that is not needed.`,
  },
  precondition_failed: { kind: 'precondition-failed', detail: 'The resource is not what If-Match or If-None-Match asks for.' },
  idempotency_key_reused: {
    kind: 'idempotency-key-reused',
    detail: 'This Idempotency-Key was used before with another body.',
    field: { code: 'mismatch', message: 'must be new, since the body is not the one it was used with', fields: ['Idempotency-Key'] },
  },
  contended: { kind: 'temporarily-unavailable', detail: 'Too many others are changing this at the same time.' },
};

/** The problem that tells a client of a refusal. */
export const refusalProblem = ({ rejected, fields }: Rejection<Reason>): Problem => {
  const { kind, detail, field } = REFUSALS[rejected];
  if (!field) return new Problem(kind, detail);
  const errors = (fields ?? field.fields).map((name) => ({ field: name, message: field.message, code: field.code }));
  return new Problem(kind, detail, { errors });
};
