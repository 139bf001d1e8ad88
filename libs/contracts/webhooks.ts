import type { Applicant } from '../domain/adoptions/adoption.events.js';
import type { OrderEvent } from '../domain/orders/order.events.js';
import { ORDER_STATUSES } from '../domain/orders/order.events.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import type { PetEvent } from '../domain/pets/pet.events.js';
import { PET_STATUSES } from '../domain/pets/pet.events.js';
import { id, object, orNull, withExample, text, type JsonSchema } from './message-schema.js';
import {
  statusChange,
  WEBHOOK_TEST,
  webhookContract,
  type RelatedResources,
  type ResourceBody,
  type WebhookContract,
  type WebhookEventType,
} from './webhook-contract.js';
import {
  ADOPTER_SCHEMA,
  bodySchema,
  ORDER_SCHEMA,
  PAYMENT_SCHEMA,
  PET_SCHEMA,
  RECEIPT_SCHEMA,
  statusChangeSchema,
} from './webhook-schemas.js';

/** The public description of a webhook event type. */
const describeEvent = (eventType: WebhookEventType, summary: string, data: JsonSchema) => ({
  eventType,
  summary,
  schema: bodySchema(eventType, summary, data),
});

/** The contract of order.statusChanged (contract 19.3). */
export const orderStatusChanged = webhookContract<OrderEvent>({
  ...describeEvent(
    'order.statusChanged',
    'The status of an order changed',
    statusChangeSchema('order', ORDER_SCHEMA, ORDER_STATUSES, 'placed', 'approved'),
  ),
  from: ['OrderPlaced', 'OrderApproved', 'OrderShipped', 'OrderDelivered', 'OrderCancelled'],
  needs: [],
  data: ({ meta }, context) => statusChange('order', meta, context),
});

/**
 * The contract of payment.succeeded. The webhook is sent when the order is approved, because the receipt exists only then. A
 * payment that succeeds after its order was cancelled is refunded, and causes no webhook (contract 19.4).
 */
const paymentSucceeded = webhookContract<Extract<OrderEvent, { type: 'OrderApproved' }>>({
  ...describeEvent(
    'payment.succeeded',
    'A payment succeeded, and its order was approved',
    object(
      {
        payment: withExample(PAYMENT_SCHEMA, { status: 'succeeded', failureReason: undefined }),
        order: ORDER_SCHEMA,
        receipt: RECEIPT_SCHEMA,
      },
      {},
      'The payment',
    ),
  ),
  from: ['OrderApproved'],
  needs: ['payment'],
  data: (_, { after, related }) => {
    if (!after) return null;
    const { receiptId, receiptUrl, generatedAt } = requireRelated(related, 'receipt');
    return { payment: publicPayment(requireRelated(related, 'payment')), order: after, receipt: { receiptId, receiptUrl, generatedAt } };
  },
});

const paymentFailed = webhookContract<Extract<PaymentEvent, { type: 'PaymentFailed' }>>({
  ...describeEvent(
    'payment.failed',
    'A payment failed. The order can be paid again',
    object(
      {
        payment: PAYMENT_SCHEMA,
        order: {
          ...orNull(withExample(ORDER_SCHEMA, { status: 'placed' })),
          description: 'The order, or null if it was deleted before this event',
        },
        reason: text('Why the payment failed', 'card_declined'),
      },
      {},
      'The payment',
    ),
  ),
  from: ['PaymentFailed'],
  needs: ['order'],
  data: ({ data }, { after, related }) => after && { payment: publicPayment(after), order: related.order ?? null, reason: data.reason },
});

const petAdopted = webhookContract<Extract<PetEvent, { type: 'PetAdopted' | 'PetAdoptedByApplication' }>>({
  ...describeEvent(
    'pet.adopted',
    'A pet was adopted',
    object({ pet: withExample(PET_SCHEMA, { status: 'ADOPTED' }), adopter: ADOPTER_SCHEMA }, {}, 'The adoption'),
  ),
  from: ['PetAdopted', 'PetAdoptedByApplication'],
  needs: ['order', 'adoption'],
  data: (event, { after, related }) => after && { pet: after, adopter: adopterOf(event, related) },
});

/**
 * Builds the adopter. The values of an applicant stay sealed here, and are decrypted when the delivery is sent. An erased
 * value is then null (contract 19.5).
 */
const adopterOf = (
  event: Extract<PetEvent, { type: 'PetAdopted' | 'PetAdoptedByApplication' }>,
  { order, adoption }: RelatedResources,
): object => {
  if (event.type === 'PetAdopted') return { orderId: event.data.holder.id, userId: order?.['userId'] };
  const applicant = adoption?.['applicant'] as Partial<Applicant> | undefined;
  return { adoptionId: event.data.adoptionId, userId: adoption?.['userId'], name: applicant?.name, email: applicant?.email };
};

const petStatusChanged = webhookContract<PetEvent>({
  ...describeEvent(
    'pet.statusChanged',
    'The status of a pet changed',
    statusChangeSchema('pet', PET_SCHEMA, PET_STATUSES, 'AVAILABLE', 'PENDING'),
  ),
  from: [
    'PetListed',
    'PetStatusSet',
    'PetReserved',
    'PetReleased',
    'PetAdopted',
    'PetHeldForAdoption',
    'PetFreedFromAdoption',
    'PetAdoptedByApplication',
  ],
  needs: [],
  data: ({ meta }, context) => statusChange('pet', meta, context),
});

const TEST_MESSAGE = 'This is a test. Nothing has happened.';

/** No domain event causes the test; `testData` builds its data. */
const webhookTest = webhookContract<never>({
  ...describeEvent(
    WEBHOOK_TEST,
    'A test that the owner of an endpoint requested',
    object(
      {
        webhookId: id('The endpoint', '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93'),
        message: text('A text that identifies the test', TEST_MESSAGE),
      },
      {},
      'The test',
    ),
  ),
  from: [],
  needs: [],
  data: () => null,
});

/** Builds the data of an endpoint's test. */
export const testData = (webhookId: string): object => ({ webhookId, message: TEST_MESSAGE });

/** The contracts of all webhook event types. */
export const webhookContracts: readonly WebhookContract[] = [
  orderStatusChanged,
  paymentSucceeded,
  paymentFailed,
  petAdopted,
  petStatusChanged,
  webhookTest,
];

/** Builds the public form of a payment. Lists the members one by one, so that no new personal field is sent (contract 19.6). */
const publicPayment = ({ id: paymentId, amount, currency, source, status, failureReason }: ResourceBody): object => {
  const { object: kind, number, brand, last4, expMonth, expYear, accountType, country } = source as ResourceBody;
  return {
    id: paymentId,
    amount,
    currency,
    source: { object: kind, number, brand, last4, expMonth, expYear, accountType, country },
    status,
    failureReason,
  };
};

const requireRelated = (related: RelatedResources, name: keyof RelatedResources): ResourceBody => {
  const resource = related[name];
  if (!resource) throw new Error(`a webhook body needs the ${name}, which was not loaded`);
  return resource;
};
