import type { OrderEvent } from '../domain/orders/order.events.js';
import { ORDER_STATUSES } from '../domain/orders/order.events.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import type { PetEvent } from '../domain/pets/pet.events.js';
import { PET_STATUSES } from '../domain/pets/pet.events.js';
import { either, id, object, shownAs, text, type JsonSchema } from './message-schema.js';
import {
  statusChange,
  WEBHOOK_TEST,
  webhookContract,
  type Related,
  type Shown,
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

/** What an event is for its readers. */
const described = (eventType: WebhookEventType, summary: string, data: JsonSchema) => ({
  eventType,
  summary,
  schema: bodySchema(eventType, summary, data),
});

/** "order.statusChanged {order, previousStatus, newStatus, changedAt, changedBy}" */
export const orderStatusChanged = webhookContract<OrderEvent>({
  ...described(
    'order.statusChanged',
    'An order has come to another status',
    statusChangeSchema('order', ORDER_SCHEMA, ORDER_STATUSES, 'placed', 'approved'),
  ),
  from: ['OrderPlaced', 'OrderApproved', 'OrderShipped', 'OrderDelivered', 'OrderCancelled'],
  needs: [],
  data: ({ meta }, surroundings) => statusChange('order', meta, surroundings),
});

/**
 * Told once the order is approved, so that the order and the receipt it names are there to be read. A payment that
 * succeeds on a cancelled order goes back, and is not told.
 */
const paymentSucceeded = webhookContract<Extract<OrderEvent, { type: 'OrderApproved' }>>({
  ...described(
    'payment.succeeded',
    'A payment has succeeded, and its order is approved',
    object(
      {
        payment: shownAs(PAYMENT_SCHEMA, { status: 'succeeded', failureReason: undefined }),
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
    const { receiptId, receiptUrl, generatedAt } = needed(related, 'receipt');
    return { payment: paymentShown(needed(related, 'payment')), order: after, receipt: { receiptId, receiptUrl, generatedAt } };
  },
});

const paymentFailed = webhookContract<Extract<PaymentEvent, { type: 'PaymentFailed' }>>({
  ...described(
    'payment.failed',
    'A payment has failed; the order may be paid again',
    object(
      {
        payment: PAYMENT_SCHEMA,
        order: either('The order; null when it was deleted meanwhile', shownAs(ORDER_SCHEMA, { status: 'placed' }), { type: 'null' }),
        reason: text('Why it failed', 'card_declined'),
      },
      {},
      'The payment',
    ),
  ),
  from: ['PaymentFailed'],
  needs: ['order'],
  data: ({ data }, { after, related }) => after && { payment: paymentShown(after), order: related.order ?? null, reason: data.reason },
});

const petAdopted = webhookContract<Extract<PetEvent, { type: 'PetAdopted' }>>({
  ...described(
    'pet.adopted',
    'A pet was adopted',
    object({ pet: shownAs(PET_SCHEMA, { status: 'ADOPTED' }), adopter: ADOPTER_SCHEMA }, {}, 'The adoption'),
  ),
  from: ['PetAdopted'],
  needs: ['order'],
  data: ({ data }, { after, related }) => after && { pet: after, adopter: { orderId: data.holder.id, userId: related.order?.['userId'] } },
});

const petStatusChanged = webhookContract<PetEvent>({
  ...described(
    'pet.statusChanged',
    'A pet has come to another status',
    statusChangeSchema('pet', PET_SCHEMA, PET_STATUSES, 'AVAILABLE', 'PENDING'),
  ),
  from: ['PetListed', 'PetStatusSet', 'PetReserved', 'PetReleased', 'PetAdopted'],
  needs: [],
  data: ({ meta }, surroundings) => statusChange('pet', meta, surroundings),
});

const TEST_MESSAGE = 'This is a test. Nothing has happened.';

/** Made from no event: `testData` is what it says. */
const webhookTest = webhookContract<never>({
  ...described(
    WEBHOOK_TEST,
    'A test that the owner of an endpoint asked for',
    object(
      { webhookId: id('The endpoint', '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93'), message: text('Says that it is a test', TEST_MESSAGE) },
      {},
      'The test',
    ),
  ),
  from: [],
  needs: [],
  data: () => null,
});

/** What a test of an endpoint says. */
export const testData = (webhookId: string): object => ({ webhookId, message: TEST_MESSAGE });

/** Everything that webhook endpoints may hear. */
export const webhookContracts: readonly WebhookContract[] = [
  orderStatusChanged,
  paymentSucceeded,
  paymentFailed,
  petAdopted,
  petStatusChanged,
  webhookTest,
];

/** A payment as it is read, but for the payer's name and address: "no personal data". Named one by one, so that nothing slips through. */
const paymentShown = ({ id: paymentId, amount, currency, source, status, failureReason }: Shown): object => {
  const { object: kind, number, brand, last4, expMonth, expYear, accountType, country } = source as Shown;
  return {
    id: paymentId,
    amount,
    currency,
    source: { object: kind, number, brand, last4, expMonth, expYear, accountType, country },
    status,
    failureReason,
  };
};

const needed = (related: Related, name: keyof Related): Shown => {
  const resource = related[name];
  if (!resource) throw new Error(`a webhook event needs the ${name} that its event names`);
  return resource;
};
