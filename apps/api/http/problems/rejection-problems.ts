import type { OrderRejection } from '../../../../libs/domain/orders/order.decider.js';
import { MAX_QUANTITY } from '../../../../libs/domain/orders/order.decider.js';
import type { PaymentRejection } from '../../../../libs/domain/payments/payment.decider.js';
import type { PetRejection } from '../../../../libs/domain/pets/pet.decider.js';
import { MAX_CALLBACKS, MAX_OPEN_CALLBACKS } from '../../../../libs/domain/orders/order-callbacks.js';
import { MAX_WEBHOOKS } from '../../../../libs/domain/webhooks/webhook-slots.decider.js';
import type { NameClaimRejection } from '../../../../libs/domain/users/name-claim.decider.js';
import type { UserRejection } from '../../../../libs/domain/users/user.decider.js';
import type { WebhookRejection } from '../../../../libs/domain/webhooks/webhook.decider.js';
import type { SendRejection } from '../../../../libs/application/deliveries/delivery.handlers.js';
import type { Rejection } from '../../../../libs/eventsourcing/decider.js';
import type { ErrorCode } from './error-codes.js';
import type { ProblemKind } from './problem-kinds.js';
import { Problem } from './problem.js';

/** Every reason for which a command is rejected. */
export type Reason =
  | PetRejection
  | OrderRejection
  | PaymentRejection
  | WebhookRejection
  | SendRejection
  | UserRejection
  | NameClaimRejection
  | 'user_erased'
  | 'delivery_not_found'
  | 'redelivery_running'
  | 'stretch_not_begun'
  | 'too_many_webhooks'
  | 'precondition_failed'
  | 'contended'
  | 'idempotency_key_reused';

type RejectionProblem = {
  readonly kind: ProblemKind;
  readonly detail: string;
  /**
   * The error for each field that the rejection names. If the rejection names none, `fields` are the fields.
   */
  readonly field?: { readonly code: ErrorCode; readonly message: string; readonly fields: readonly string[] };
};

/** The problem of each rejection reason. The code does not compile if a reason is missing. */
export const REJECTION_PROBLEMS: Readonly<Record<Reason, RejectionProblem>> = {
  pet_exists: { kind: 'conflict', detail: 'This pet exists already.' },
  pet_not_found: { kind: 'not-found', detail: 'There is no pet with this id.' },
  pet_not_available: {
    kind: 'conflict',
    detail: 'This pet is not available: it is reserved, adopted or not offered. Choose a pet with the status AVAILABLE.',
  },
  price_not_payable: {
    kind: 'conflict',
    detail: 'The currency of this pet’s price is no longer in use. The pet can be ordered once staff change its price.',
  },
  pet_held: {
    kind: 'conflict',
    detail: 'An open order reserves this pet. Its status cannot change and it cannot be deleted until the order is delivered or cancelled.',
  },
  order_exists: { kind: 'conflict', detail: 'This order exists already.' },
  order_not_found: { kind: 'not-found', detail: 'There is no order with this id.' },
  order_not_payable: { kind: 'conflict', detail: 'This order cannot be paid: it is already paid, or it is cancelled.' },
  order_not_open: { kind: 'conflict', detail: 'This order no longer waits for this payment.' },
  order_not_shippable: { kind: 'conflict', detail: 'Only an approved order can be shipped.' },
  order_not_deliverable: { kind: 'conflict', detail: 'Only a shipped order can be delivered.' },
  quantity_out_of_range: {
    kind: 'validation-failed',
    detail: `The quantity must be from 1 to ${MAX_QUANTITY}.`,
    field: { code: 'too_big', message: `must be from 1 to ${MAX_QUANTITY}`, fields: ['quantity'] },
  },
  payment_exists: { kind: 'conflict', detail: 'This payment exists already.' },
  payment_not_found: { kind: 'not-found', detail: 'There is no payment with this id.' },
  payment_processing: { kind: 'conflict', detail: 'A payment of this order is processing. Wait for its outcome.' },
  payment_mismatch: {
    kind: 'validation-failed',
    detail: 'The payment differs from the amount due: the price when the order was placed times the quantity, in its currency.',
    field: { code: 'mismatch', message: 'must equal the amount due for the order', fields: ['amount'] },
  },
  card_expired: {
    kind: 'validation-failed',
    detail: 'The card has expired.',
    field: { code: 'expired', message: 'must not be in the past', fields: ['source.expMonth', 'source.expYear'] },
  },
  too_many_open_callbacks: {
    kind: 'conflict',
    detail: `${MAX_OPEN_CALLBACKS} callbacks of this order are open, which is the limit. Request another one when one of them is delivered or parked.`,
  },
  too_many_callbacks: {
    kind: 'conflict',
    detail: `${MAX_CALLBACKS} callbacks of this order have been requested, which is the limit.`,
  },
  webhook_exists: { kind: 'conflict', detail: 'This webhook endpoint exists already.' },
  webhook_not_found: { kind: 'not-found', detail: 'There is no webhook endpoint with this id.' },
  webhook_disabled: {
    kind: 'conflict',
    detail: 'This webhook endpoint is disabled. Enable it with a PUT that has the status enabled, then repeat the request.',
  },
  stretch_not_begun: {
    kind: 'validation-failed',
    detail: 'since is in the future. Send a time that is not after the present.',
    field: { code: 'too_big', message: 'must not be in the future', fields: ['since'] },
  },
  redelivery_running: {
    kind: 'conflict',
    detail: 'A redelivery to this webhook endpoint is running. Request the next one when its status is done.',
  },
  delivery_not_found: { kind: 'not-found', detail: 'This webhook endpoint has no delivery with this id.' },
  too_many_webhooks: {
    kind: 'conflict',
    detail: `This tenant has ${MAX_WEBHOOKS} webhook endpoints, which is the limit. Delete one that is not needed.`,
  },
  user_exists: { kind: 'conflict', detail: 'This account exists already.' },
  user_not_found: { kind: 'not-found', detail: 'There is no account with this id.' },
  user_erased: {
    kind: 'conflict',
    detail: 'The account that this request created was erased. To create another account, send a new Idempotency-Key.',
  },
  name_taken: {
    kind: 'conflict',
    detail: 'Another account uses this name. Choose another one.',
    field: { code: 'not_unique', message: 'is used by another account', fields: ['username'] },
  },
  precondition_failed: {
    kind: 'precondition-failed',
    detail: 'The resource does not meet If-Match or If-None-Match. Read it again and repeat the request with its current ETag.',
  },
  idempotency_key_reused: {
    kind: 'idempotency-key-reused',
    detail: 'This Idempotency-Key was used before with another body. Send a new key, or the same body.',
    field: { code: 'mismatch', message: 'must be a new key, because it was used with another body', fields: ['Idempotency-Key'] },
  },
  contended: {
    kind: 'temporarily-unavailable',
    detail: 'The change met too many concurrent changes of the resource. Try again after the time in Retry-After.',
  },
};

/** Creates the problem for a rejected command. */
export const rejectionProblem = ({ rejected, fields }: Rejection<Reason>): Problem => {
  const { kind, detail, field } = REJECTION_PROBLEMS[rejected];
  if (!field) return new Problem(kind, detail);
  const errors = (fields ?? field.fields).map((name) => ({ field: name, message: field.message, code: field.code }));
  return new Problem(kind, detail, { errors });
};
