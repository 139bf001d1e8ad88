import type { WebhookBody, WebhookEventType } from './webhook-contract.js';

const PET_ID = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const ORDER_ID = '0190a6b3-1d2f-7b45-8c1a-4e2b6d3f5a71';
const PAYMENT_ID = '0190a6b4-2e3f-7c56-9d2b-5f3c7e4a6b82';
const WEBHOOK_ID = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';
const TIME = '2026-01-02T03:04:05.678Z';

const PET = {
  id: PET_ID,
  species: 'DOG',
  name: 'Rex',
  breed: 'Border Collie',
  ageMonths: 24,
  size: 'MEDIUM',
  price: '250.00',
  currency: 'USD',
  status: 'AVAILABLE',
  createdAt: '2026-01-01T09:00:00.000Z',
  updatedAt: TIME,
};
const ORDER = { id: ORDER_ID, petId: PET_ID, userId: 'ann', quantity: 1, shipDate: '2026-12-24', status: 'approved', complete: false };
const PAYMENT = {
  id: PAYMENT_ID,
  amount: '250.00',
  currency: 'USD',
  source: { object: 'card', number: '************4242', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2031 },
  status: 'succeeded',
};
const RECEIPT = { receiptId: PAYMENT_ID, receiptUrl: `https://pets.example.com/v1/orders/${ORDER_ID}/receipt`, generatedAt: TIME };

const CHANGED = { changedAt: TIME, changedBy: 'ann' };

const bodyOf = (eventType: WebhookEventType, eventId: string, data: object): WebhookBody => ({ eventId, eventType, timestamp: TIME, data });

/** A body of every webhook event, for readers of the descriptions; each is checked against its schema. */
export const WEBHOOK_EXAMPLES: Readonly<Record<WebhookEventType, WebhookBody>> = {
  'order.statusChanged': bodyOf('order.statusChanged', '6f1f4a52-0b5c-5c0e-9b57-2f8f3d0a1c11', {
    order: ORDER,
    previousStatus: 'placed',
    newStatus: 'approved',
    ...CHANGED,
  }),
  'payment.succeeded': bodyOf('payment.succeeded', '0c9d1b63-5a0d-5d1f-8c68-3a9a4e1b2d22', {
    payment: PAYMENT,
    order: ORDER,
    receipt: RECEIPT,
  }),
  'payment.failed': bodyOf('payment.failed', '1dae2c74-6b1e-5e2a-9d79-4bab5f2c3e33', {
    payment: { ...PAYMENT, status: 'failed', failureReason: 'card_declined' },
    order: { ...ORDER, status: 'placed' },
    reason: 'card_declined',
  }),
  'pet.adopted': bodyOf('pet.adopted', '2ebf3d85-7c2f-5f3b-8e8a-5cbc6a3d4f44', {
    pet: { ...PET, status: 'ADOPTED' },
    adopter: { orderId: ORDER_ID, userId: 'ann' },
  }),
  'pet.statusChanged': bodyOf('pet.statusChanged', '3fc04e96-8d3a-5a4c-9f9b-6dcd7b4e5a55', {
    pet: { ...PET, status: 'PENDING' },
    previousStatus: 'AVAILABLE',
    newStatus: 'PENDING',
    ...CHANGED,
  }),
  'webhook.test': bodyOf('webhook.test', '40d15fa7-9e4b-5b5d-8aac-7ede8c5f6b66', {
    webhookId: WEBHOOK_ID,
    message: 'This is a test. Nothing has happened.',
  }),
};
