import type { OrderEvent } from '../domain/orders/order.events.js';
import { ORDER_STATUSES } from '../domain/orders/order.events.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import type { PetEvent } from '../domain/pets/pet.events.js';
import { PET_STATUSES } from '../domain/pets/pet.events.js';
import {
  statusChange,
  webhookContract,
  type Related,
  type Shown,
  type WebhookContract,
  type WebhookEventType,
} from './webhook-contract.js';
import { WEBHOOK_EXAMPLES } from './webhook-examples.js';
import {
  bodySchema,
  id,
  object,
  ORDER_SCHEMA,
  PAYMENT_SCHEMA,
  PET_SCHEMA,
  RECEIPT_SCHEMA,
  statusChangeSchema,
  text,
} from './webhook-schemas.js';

/** What an event is for its readers. */
const described = (eventType: WebhookEventType, summary: string, data: Parameters<typeof bodySchema>[2]) => ({
  eventType,
  summary,
  schema: bodySchema(eventType, summary, data),
  example: WEBHOOK_EXAMPLES[eventType],
});

const orderStatusChanged = webhookContract<OrderEvent>({
  ...described('order.statusChanged', 'An order has come to another status', statusChangeSchema('order', ORDER_SCHEMA, ORDER_STATUSES)),
  category: 'order',
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
    object('The payment', { payment: PAYMENT_SCHEMA, order: ORDER_SCHEMA, receipt: RECEIPT_SCHEMA }),
  ),
  category: 'order',
  from: ['OrderApproved'],
  needs: ['payment', 'receipt'],
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
    object('The payment', {
      payment: PAYMENT_SCHEMA,
      order: { oneOf: [ORDER_SCHEMA, { type: 'null' }], description: 'The order; null when it was deleted meanwhile' },
      reason: text('Why it failed'),
    }),
  ),
  category: 'payment',
  from: ['PaymentFailed'],
  needs: ['order'],
  data: ({ data }, { after, related }) => after && { payment: paymentShown(after), order: related.order ?? null, reason: data.reason },
});

const petAdopted = webhookContract<Extract<PetEvent, { type: 'PetAdopted' }>>({
  ...described(
    'pet.adopted',
    'A pet was adopted',
    object('The adoption', {
      pet: PET_SCHEMA,
      adopter: object('Who adopted it', { orderId: id('The order by which it was adopted'), userId: text('Whose order it is') }, [
        'userId',
      ]),
    }),
  ),
  category: 'pet',
  from: ['PetAdopted'],
  needs: ['order'],
  data: ({ data }, { after, related }) => after && { pet: after, adopter: { orderId: data.holder.id, userId: related.order?.['userId'] } },
});

const petStatusChanged = webhookContract<PetEvent>({
  ...described('pet.statusChanged', 'A pet has come to another status', statusChangeSchema('pet', PET_SCHEMA, PET_STATUSES)),
  category: 'pet',
  from: ['PetListed', 'PetStatusSet', 'PetReserved', 'PetReleased', 'PetAdopted'],
  needs: [],
  data: ({ meta }, surroundings) => statusChange('pet', meta, surroundings),
});

/** Made from no event: `testData` is what it says. */
const webhookTest = webhookContract<never>({
  ...described(
    'webhook.test',
    'A test that the owner of an endpoint asked for',
    object('The test', { webhookId: id('The endpoint'), message: text('Says that it is a test') }),
  ),
  category: 'webhook',
  from: [],
  needs: [],
  data: () => null,
});

/** What a test of an endpoint says. */
export const testData = (webhookId: string): object => ({ webhookId, message: 'This is a test. Nothing has happened.' });

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
