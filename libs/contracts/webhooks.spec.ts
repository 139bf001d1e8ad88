import { describe, expect, it } from '@jest/globals';
import type { DomainEvent } from '../domain/events.js';
import type { OrderId, PaymentId, PetId } from '../domain/ids.js';
import { SUBSCRIBABLE_EVENTS } from '../domain/webhooks/webhook.events.js';
import type { RecordedEvent } from '../eventsourcing/message.js';
import { recorded } from '../eventsourcing/testing/recorded.js';
import { webhookBody, type Surroundings, type WebhookEventType } from './webhook-contract.js';
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

const happened = (event: DomainEvent): RecordedEvent<DomainEvent> => {
  const [one] = recorded([event]);
  if (!one) throw new Error('nothing happened');
  return one;
};
const said = (eventType: WebhookEventType, event: DomainEvent, { before = null, after = null, related = {} }: Partial<Surroundings>) => {
  const contract = webhookContracts.find((one) => one.eventType === eventType);
  const data = contract?.data(happened(event), { before, after, related }) ?? null;
  return data && (JSON.parse(JSON.stringify(data)) as unknown);
};

const placed: DomainEvent = { type: 'OrderPlaced', data: { petId, quantity: 1 } };
const approved: DomainEvent = { type: 'OrderApproved', data: { petId, paymentId } };
const failed: DomainEvent = { type: 'PaymentFailed', data: { orderId, reason: 'card_declined' } };
const holder = { kind: 'order', id: orderId } as const;
const changed = { changedAt: TIME, changedBy: 'anonymous' };

describe('order.statusChanged', () => {
  it('says what the order was and is, since when and by whom', () =>
    expect(said('order.statusChanged', approved, { before: order('placed'), after: order('approved') })).toEqual({
      order: order('approved'),
      previousStatus: 'placed',
      newStatus: 'approved',
      ...changed,
    }));

  it('is said of placing too: there was no status before', () =>
    expect(said('order.statusChanged', placed, { after: order('placed') })).toMatchObject({ previousStatus: null, newStatus: 'placed' }));

  it('is not said when the status stays, or there is no order to show', () => {
    expect(said('order.statusChanged', approved, { before: order('approved'), after: order('approved') })).toBeNull();
    expect(said('order.statusChanged', approved, { before: order('placed') })).toBeNull();
  });
});

describe('payment.succeeded', () => {
  const around = { after: order('approved'), related: { payment: payment('succeeded'), receipt } };

  it('says what was paid, for what, and where the receipt is', () => {
    const { name: _, addressCity: __, ...source } = payment('succeeded').source;
    expect(said('payment.succeeded', approved, around)).toEqual({
      payment: { ...payment('succeeded'), source },
      order: order('approved'),
      receipt: { receiptId: 'y1', receiptUrl: 'https://pets.test/v1/orders/o1/receipt', generatedAt: TIME },
    });
  });

  it('names nobody who paid: neither sealed nor in plain text', () =>
    expect(JSON.stringify(said('payment.succeeded', approved, around))).not.toMatch(/sealed|London|"name"/));

  it('cannot be said without its payment and receipt', () => {
    expect(() => said('payment.succeeded', approved, { ...around, related: { receipt } })).toThrow('needs the payment');
    expect(() => said('payment.succeeded', approved, { ...around, related: { payment: payment('succeeded') } })).toThrow(
      'needs the receipt',
    );
  });
});

describe('payment.failed', () => {
  const after = payment('failed', { failureReason: 'card_declined' });

  it('says which payment failed, of which order, and why', () =>
    expect(said('payment.failed', failed, { after, related: { order: order('placed') } })).toMatchObject({
      payment: { id: 'y1', status: 'failed', failureReason: 'card_declined' },
      order: order('placed'),
      reason: 'card_declined',
    }));

  it('is said of an order that is gone too', () =>
    expect(said('payment.failed', failed, { after, related: { order: null } })).toMatchObject({ order: null }));

  it('names nobody who paid', () =>
    expect(JSON.stringify(said('payment.failed', failed, { after, related: {} }))).not.toMatch(/sealed|London|"name"/));
});

describe('pet.adopted', () => {
  const adopted: DomainEvent = { type: 'PetAdopted', data: { holder } };

  it('says which pet, and who adopted it by which order', () =>
    expect(said('pet.adopted', adopted, { after: pet('ADOPTED'), related: { order: order('approved') } })).toEqual({
      pet: pet('ADOPTED'),
      adopter: { orderId: 'o1', userId: 'ann' },
    }));

  it('names no user where the order names none, or is gone', () =>
    expect(said('pet.adopted', adopted, { after: pet('ADOPTED') })).toEqual({ pet: pet('ADOPTED'), adopter: { orderId: 'o1' } }));
});

describe('pet.statusChanged', () => {
  it.each<[DomainEvent, string | null, string]>([
    [{ type: 'PetListed', data: { details: { name: 'Rex', species: 'DOG', ageMonths: 1 }, status: 'AVAILABLE' } }, null, 'AVAILABLE'],
    [{ type: 'PetReserved', data: { holder, quantity: 1 } }, 'AVAILABLE', 'PENDING'],
    [{ type: 'PetAdopted', data: { holder } }, 'PENDING', 'ADOPTED'],
    [{ type: 'PetReleased', data: { holder, from: 'PENDING', to: 'AVAILABLE' } }, 'PENDING', 'AVAILABLE'],
    [{ type: 'PetStatusSet', data: { from: 'AVAILABLE', to: 'NOT_AVAILABLE', reason: 'staff' } }, 'AVAILABLE', 'NOT_AVAILABLE'],
  ])('is said of %j', (event, from, to) =>
    expect(said('pet.statusChanged', event, { before: from === null ? null : pet(from), after: pet(to) })).toEqual({
      pet: pet(to),
      previousStatus: from,
      newStatus: to,
      ...changed,
    }),
  );

  it('is not said of a pet that an order lets go once it is served: it stays adopted', () =>
    expect(
      said(
        'pet.statusChanged',
        { type: 'PetReleased', data: { holder, from: 'ADOPTED', to: 'ADOPTED' } },
        { before: pet('ADOPTED'), after: pet('ADOPTED') },
      ),
    ).toBeNull());
});

describe('the webhook events', () => {
  it('are those that an endpoint may ask for, and the test', () =>
    expect(webhookContracts.map(({ eventType }) => eventType)).toEqual([...SUBSCRIBABLE_EVENTS, 'webhook.test']));
});

describe('a body', () => {
  it('has its members in the documented order', () => {
    const body = { data: testData('w1'), timestamp: TIME, eventType: 'webhook.test', eventId: 'e1' } as const;
    expect(webhookBody(body)).toBe(
      `{"eventId":"e1","eventType":"webhook.test","timestamp":"${TIME}","data":{"webhookId":"w1","message":"This is a test. Nothing has happened."}}`,
    );
  });
});
