import { describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '../domain/events.js';
import type { OrderId, PaymentId, PetId } from '../domain/ids.js';
import { SUBSCRIBABLE_EVENTS } from '../domain/webhooks/webhook.events.js';
import type { RecordedEvent } from '../eventsourcing/message.js';
import { recorded } from '../eventsourcing/testing/recorded.js';
import { webhookBody, type EventContext, type WebhookEventType } from './webhook-contract.js';
import { testData, webhookContracts } from './webhooks.js';

const petId = 'p1' as PetId;
const orderId = 'o1' as OrderId;
const paymentId = 'y1' as PaymentId;
const TIME = '2026-01-02T03:04:05.000Z';

const order = (status: string) => ({ id: 'o1', petId: 'p1', userId: 'ann', quantity: 1, status, complete: false });
const pet = (status: string) => ({ id: 'p1', name: 'Rex', status });
const sealed = { $sealed: 'c2VhbGVk', subject: 'payment:y1' };
const payment = (status: string, more: object = {}) => ({
  id: 'y1',
  amount: '250.00',
  currency: 'USD',
  source: {
    object: 'card',
    name: sealed,
    number: '************4242',
    brand: 'visa',
    last4: '4242',
    expMonth: 12,
    expYear: 2031,
    addressCity: 'London',
  },
  status,
  ...more,
});
const receipt = { receiptId: 'y1', receiptUrl: 'https://pets.test/v1/orders/o1/receipt', generatedAt: TIME, source: { name: 'Ann' } };

const recordedEvent = (event: DomainEvent): RecordedEvent<DomainEvent> => {
  const [one] = recorded([event]);
  if (!one) throw new Error('no event was recorded');
  return one;
};
const dataOf = (eventType: WebhookEventType, event: DomainEvent, { before = null, after = null, related = {} }: Partial<EventContext>) => {
  const contract = webhookContracts.find((one) => one.eventType === eventType);
  const data = contract?.data(recordedEvent(event), { before, after, related }) ?? null;
  return data && (JSON.parse(JSON.stringify(data)) as unknown);
};

const placed: DomainEvent = { type: 'OrderPlaced', data: { petId, quantity: 1 } };
const approved: DomainEvent = { type: 'OrderApproved', data: { petId, paymentId } };
const failed: DomainEvent = { type: 'PaymentFailed', data: { orderId, reason: 'card_declined' } };
const holder = { kind: 'order', id: orderId } as const;
const changed = { changedAt: TIME, changedBy: 'anonymous' };

/** Proves rows of contract 42.17. */
describe('order.statusChanged', () => {
  it('contains the order, both statuses, the time and the actor', () =>
    expect(dataOf('order.statusChanged', approved, { before: order('placed'), after: order('approved') })).toEqual({
      order: order('approved'),
      previousStatus: 'placed',
      newStatus: 'approved',
      ...changed,
    }));

  it('is sent for a placed order with a null previous status', () =>
    expect(dataOf('order.statusChanged', placed, { after: order('placed') })).toMatchObject({ previousStatus: null, newStatus: 'placed' }));

  it('is not sent when the status is unchanged or the order is not found', () => {
    expect(dataOf('order.statusChanged', approved, { before: order('approved'), after: order('approved') })).toBeNull();
    expect(dataOf('order.statusChanged', approved, { before: order('placed') })).toBeNull();
  });
});

describe('payment.succeeded', () => {
  const context = { after: order('approved'), related: { payment: payment('succeeded'), receipt } };

  it('contains the payment, the order and the receipt', () => {
    const { name: _, addressCity: __, ...source } = payment('succeeded').source;
    expect(dataOf('payment.succeeded', approved, context)).toEqual({
      payment: { ...payment('succeeded'), source },
      order: order('approved'),
      receipt: { receiptId: 'y1', receiptUrl: 'https://pets.test/v1/orders/o1/receipt', generatedAt: TIME },
    });
  });

  it('contains no data of the payer, neither encrypted nor in plain text', () =>
    expect(JSON.stringify(dataOf('payment.succeeded', approved, context))).not.toMatch(/sealed|London|"name"/));

  it('throws without its payment or receipt', () => {
    expect(() => dataOf('payment.succeeded', approved, { ...context, related: { receipt } })).toThrow('needs the payment');
    expect(() => dataOf('payment.succeeded', approved, { ...context, related: { payment: payment('succeeded') } })).toThrow(
      'needs the receipt',
    );
  });
});

describe('payment.failed', () => {
  const after = payment('failed', { failureReason: 'card_declined' });

  it('contains the payment, the order and the reason', () =>
    expect(dataOf('payment.failed', failed, { after, related: { order: order('placed') } })).toMatchObject({
      payment: { id: 'y1', status: 'failed', failureReason: 'card_declined' },
      order: order('placed'),
      reason: 'card_declined',
    }));

  it('is sent with a null order when the order is deleted', () =>
    expect(dataOf('payment.failed', failed, { after, related: { order: null } })).toMatchObject({ order: null }));

  it('contains no data of the payer', () =>
    expect(JSON.stringify(dataOf('payment.failed', failed, { after, related: {} }))).not.toMatch(/sealed|London|"name"/));
});

describe('pet.adopted', () => {
  const adopted: DomainEvent = { type: 'PetAdopted', data: { holder } };

  it('contains the pet, the order and the user', () =>
    expect(dataOf('pet.adopted', adopted, { after: pet('ADOPTED'), related: { order: order('approved') } })).toEqual({
      pet: pet('ADOPTED'),
      adopter: { orderId: 'o1', userId: 'ann' },
    }));

  it('contains no user when the order has none or is deleted', () =>
    expect(dataOf('pet.adopted', adopted, { after: pet('ADOPTED') })).toEqual({ pet: pet('ADOPTED'), adopter: { orderId: 'o1' } }));
});

describe('pet.statusChanged', () => {
  it.each<[DomainEvent, string | null, string]>([
    [{ type: 'PetListed', data: { details: { name: 'Rex', species: 'DOG', ageMonths: 1 }, status: 'AVAILABLE' } }, null, 'AVAILABLE'],
    [{ type: 'PetReserved', data: { holder, quantity: 1 } }, 'AVAILABLE', 'PENDING'],
    [{ type: 'PetAdopted', data: { holder } }, 'PENDING', 'ADOPTED'],
    [{ type: 'PetReleased', data: { holder, from: 'PENDING', to: 'AVAILABLE' } }, 'PENDING', 'AVAILABLE'],
    [{ type: 'PetStatusSet', data: { from: 'AVAILABLE', to: 'NOT_AVAILABLE', reason: 'staff' } }, 'AVAILABLE', 'NOT_AVAILABLE'],
  ])('is sent for %j', (event, from, to) =>
    expect(dataOf('pet.statusChanged', event, { before: from === null ? null : pet(from), after: pet(to) })).toEqual({
      pet: pet(to),
      previousStatus: from,
      newStatus: to,
      ...changed,
    }),
  );

  it('is not sent when a fulfilled order releases its adopted pet', () =>
    expect(
      dataOf(
        'pet.statusChanged',
        { type: 'PetReleased', data: { holder, from: 'ADOPTED', to: 'ADOPTED' } },
        { before: pet('ADOPTED'), after: pet('ADOPTED') },
      ),
    ).toBeNull());
});

describe('the webhook events', () => {
  it('are the events that an endpoint can subscribe to, and webhook.test', () =>
    expect(webhookContracts.map(({ eventType }) => eventType)).toEqual([...SUBSCRIBABLE_EVENTS, 'webhook.test']));
});

describe('the body of a webhook', () => {
  it('has its members in the documented order', () => {
    const body = { data: testData('w1'), timestamp: TIME, eventType: 'webhook.test', eventId: 'e1' } as const;
    expect(webhookBody(body)).toBe(
      `{"eventId":"e1","eventType":"webhook.test","timestamp":"${TIME}","data":{"webhookId":"w1","message":"This is a test. Nothing has happened."}}`,
    );
  });
});
