import type { AdoptionRejection } from '../../../../libs/domain/adoptions/adoption.decider.js';
import type { OrderRejection } from '../../../../libs/domain/orders/order.decider.js';
import { MAX_PHOTOS } from '../../../../libs/domain/pets/pet-image.js';
import { MAX_QUANTITY } from '../../../../libs/domain/orders/order.decider.js';
import type { PaymentRejection } from '../../../../libs/domain/payments/payment.decider.js';
import { MAX_APPLICATIONS } from '../../../../libs/domain/pets/pet-applications.js';
import type { PetRejection } from '../../../../libs/domain/pets/pet.decider.js';
import { MAX_CALLBACKS, MAX_OPEN_CALLBACKS } from '../../../../libs/domain/orders/order-callbacks.js';
import { MAX_WEBHOOKS } from '../../../../libs/domain/webhooks/webhook-slots.decider.js';
import type { NameClaimRejection } from '../../../../libs/domain/users/name-claim.decider.js';
import type { UserRejection } from '../../../../libs/domain/users/user.decider.js';
import type { WebhookRejection } from '../../../../libs/domain/webhooks/webhook.decider.js';
import { MAX_SKIPPED } from '../../../../libs/application/operations/skip.commands.js';
import type { SendRejection } from '../../../../libs/application/deliveries/delivery.commands.js';
import type { Rejection } from '../../../../libs/eventsourcing/decider.js';
import type { ImageFault } from '../../../../libs/ports/image-processor.port.js';
import type { ErrorCode } from './error-codes.js';
import type { ProblemKind } from './problem-kinds.js';
import { Problem } from './problem.js';

/** Every reason for which a command is rejected. */
export type Reason =
  | PetRejection
  | ImageFault
  | OrderRejection
  | PaymentRejection
  | AdoptionRejection
  | 'adoption_erased'
  | 'applicant_required'
  | WebhookRejection
  | SendRejection
  | UserRejection
  | NameClaimRejection
  | 'user_erased'
  | 'last_staff'
  | 'session_not_found'
  | 'token_without_session'
  | 'client_not_found'
  | 'client_without_secret'
  | 'key_not_found'
  | 'key_in_use'
  | 'key_in_file'
  | 'key_announced'
  | 'key_verifies_checkpoints'
  | 'delivery_not_found'
  | 'delivery_unknown'
  | 'callback_not_repeatable'
  | 'redelivery_running'
  | 'stretch_not_begun'
  | 'export_in_future'
  | 'nothing_to_export'
  | 'too_many_webhooks'
  | 'not_parked'
  | 'stream_broken'
  | 'too_many_skipped'
  | 'not_skipped'
  | 'projection_not_found'
  | 'projection_paused'
  | 'rebuild_running'
  | 'fill_not_ready'
  | 'nothing_kept'
  | 'no_fill'
  | 'precondition_failed'
  | 'contended'
  | 'idempotency_key_reused';

type RejectionProblem = {
  readonly kind: ProblemKind;
  readonly detail: string;
  /** The error of each invalid field. `fields` names the invalid fields if the rejection itself does not name them. */
  readonly field?: { readonly code: ErrorCode; readonly message: string; readonly fields: readonly string[] };
};

/** The problem of each rejection reason. The code does not compile if a reason is missing. */
export const REJECTION_PROBLEMS: Readonly<Record<Reason, RejectionProblem>> = {
  not_parked: {
    kind: 'conflict',
    detail: 'This event is not parked under this name. GET /v1/ops/parked lists what is parked, each with its revision.',
  },
  stream_broken: {
    kind: 'conflict',
    detail:
      'The stream is broken, so none of its events can be skipped. Restore a backup if it was altered, or start the newer version that ' +
      'wrote the event.',
  },
  too_many_skipped: {
    kind: 'conflict',
    detail: `${MAX_SKIPPED} events are skipped, which is the limit. Unskip those that the current release handles.`,
  },
  not_skipped: { kind: 'conflict', detail: 'This event is not skipped under this name. GET /v1/ops/parked/skipped lists those that are.' },
  projection_not_found: { kind: 'not-found', detail: 'There is no read model with this name. GET /v1/ops/projections lists the names.' },
  projection_paused: { kind: 'conflict', detail: 'The read model is paused. Resume it first.' },
  rebuild_running: { kind: 'conflict', detail: 'The read model has a fill already. Wait until it is complete, switch to it, or drop it.' },
  fill_not_ready: {
    kind: 'conflict',
    detail: 'The read model has no fill that has reached the end of the log. GET /v1/ops/projections shows how far it is.',
  },
  nothing_kept: {
    kind: 'conflict',
    detail: 'Nothing is kept of the read model: no fill has replaced it, or it was dropped, after a day at the latest.',
  },
  no_fill: { kind: 'conflict', detail: 'The read model has no fill, and nothing is kept of it.' },
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
    detail:
      'An open order or adoption application holds this pet. Until that order or application ends, the status cannot change and the pet cannot be deleted.',
  },
  pet_not_held: { kind: 'conflict', detail: 'This application cannot be approved: the pet went to somebody else.' },
  too_many_applications: {
    kind: 'conflict',
    detail: `${MAX_APPLICATIONS} applications for this pet are open, which is the limit. Apply again when one of them is decided.`,
  },
  already_applied: {
    kind: 'conflict',
    detail: 'You have an open application for this pet. Withdraw it before you send another one.',
  },
  adoption_exists: { kind: 'conflict', detail: 'This application exists already.' },
  adoption_not_found: { kind: 'not-found', detail: 'There is no adoption application with this id.' },
  adoption_decided: {
    kind: 'conflict',
    detail: 'This application is no longer open: it is approved, rejected, withdrawn or expired, or staff are approving it.',
  },
  adoption_erased: {
    kind: 'conflict',
    detail:
      'An earlier request with this Idempotency-Key created an application. Its applicant was erased since. ' +
      'To apply again, send a new Idempotency-Key.',
  },
  applicant_required: {
    kind: 'validation-failed',
    detail: 'The application does not say who applies. Send the applicant, or the access token of an account.',
    field: { code: 'required', message: 'is required without an access token', fields: ['applicant'] },
  },
  image_not_found: { kind: 'not-found', detail: 'This pet has no image with this id.' },
  too_many_photos: {
    kind: 'conflict',
    detail: `A pet has at most ${MAX_PHOTOS} photos, links and images together. Remove one first.`,
  },
  not_an_image: { kind: 'unsupported-media-type', detail: 'The file is no JPEG, PNG or WebP image, whatever its name says.' },
  broken_image: {
    kind: 'validation-failed',
    detail: 'The image cannot be decoded: it is damaged or incomplete.',
    field: { code: 'INVALID_FORMAT', message: 'must be a complete image', fields: ['file'] },
  },
  too_many_pixels: {
    kind: 'validation-failed',
    detail: 'The image has more than 40 million pixels.',
    field: { code: 'too_big', message: 'must have at most 40 million pixels', fields: ['file'] },
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
    detail:
      'The amount or currency of the payment is not the amount due. ' +
      'The amount due is the price of the pet when the order was placed, multiplied by the quantity.',
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
    detail: 'This webhook endpoint is disabled. To enable it, send a PUT with `enabled` as `status`. Then repeat the request.',
  },
  stretch_not_begun: {
    kind: 'validation-failed',
    detail: 'The time in `since` is in the future. Send an earlier time.',
    field: { code: 'too_big', message: 'must not be in the future', fields: ['since'] },
  },
  redelivery_running: {
    kind: 'conflict',
    detail: 'A redelivery to this webhook endpoint is running. Request another one when the running redelivery has the status `done`.',
  },
  delivery_unknown: { kind: 'not-found', detail: 'There is no delivery with this id.' },
  callback_not_repeatable: {
    kind: 'conflict',
    detail: 'The delivery is the callback of an order, which cannot be sent again. Request a new callback of the order.',
  },
  delivery_not_found: { kind: 'not-found', detail: 'This webhook endpoint has no delivery with this id.' },
  too_many_webhooks: {
    kind: 'conflict',
    detail: `This tenant has ${MAX_WEBHOOKS} webhook endpoints, which is the limit. Delete one that is not needed.`,
  },
  export_in_future: {
    kind: 'validation-failed',
    detail: 'The time in `to` is in the future, where events are still to come. Send a time that is not after the present.',
    field: { code: 'too_big', message: 'must not be in the future', fields: ['to'] },
  },
  nothing_to_export: { kind: 'not-found', detail: 'The log has no events of this tenant or stream, or none at all.' },
  user_exists: { kind: 'conflict', detail: 'This account exists already.' },
  user_not_found: { kind: 'not-found', detail: 'There is no account with this id.' },
  client_not_found: { kind: 'not-found', detail: 'There is no client with this id.' },
  client_without_secret: { kind: 'conflict', detail: 'This client is public and has no secret.' },
  key_not_found: { kind: 'not-found', detail: 'There is no key with this id.' },
  key_in_use: {
    kind: 'conflict',
    detail: 'The service uses this key. Only a former key for tokens can be removed: rotate the keys first.',
  },
  key_announced: {
    kind: 'conflict',
    detail:
      'A new key for tokens is announced already, and signs from its `activatesAt` on. To let it sign at once, rotate with ' +
      '`now=true`, or use `petstore keys rotate --now`. To replace it, remove it first.',
  },
  key_in_file: {
    kind: 'conflict',
    detail:
      'Checkpoints are signed with a key in SIGNING_KEY_FILE, which the service does not change. Put a new key before the ' +
      'others in that file, leave the others in it, and restart every process.',
  },
  key_verifies_checkpoints: {
    kind: 'conflict',
    detail: 'This key verifies the checkpoints that it has signed, so it is never removed. A rotation replaces it for new checkpoints.',
  },
  user_erased: {
    kind: 'conflict',
    detail:
      'An earlier request with this Idempotency-Key created an account. The account was erased since. ' +
      'To create another account, send a new Idempotency-Key.',
  },
  last_staff: {
    kind: 'conflict',
    detail: 'This is the last enabled staff account. Give another account the role of staff first.',
  },
  session_not_found: { kind: 'not-found', detail: 'There is no session with this id.' },
  token_without_session: {
    kind: 'conflict',
    detail: 'An operator made this token, so it belongs to no session. It ends when it expires, or when its signing key is removed.',
  },
  name_taken: {
    kind: 'conflict',
    detail: 'Another account uses this username or email address. Choose another one.',
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
    detail: 'Too many concurrent changes of the resource conflicted with this change. Try again after the time in Retry-After.',
  },
};

/** Creates the problem for a rejected command. */
export const rejectionProblem = ({ rejected, fields, expected }: Rejection<Reason>): Problem => {
  const { kind, detail, field } = REJECTION_PROBLEMS[rejected];
  if (!field) return new Problem(kind, detail);
  const message = expected === undefined ? field.message : `${field.message}: ${expected}`;
  return new Problem(kind, detail, { errors: (fields ?? field.fields).map((name) => ({ field: name, message, code: field.code })) });
};
