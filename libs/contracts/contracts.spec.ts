import { describe, expect, it } from '@jest/globals';
import type { OrderId, PaymentId, PetId } from '../domain/ids.js';
import type { OrderEvent } from '../domain/orders/order.events.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import type { PetEvent } from '../domain/pets/pet.events.js';
import { recorded } from '../eventsourcing/testing/recorded.js';
import { contracts, publicMessageMapper } from './contracts.js';
import { messageTypeOf } from './message-contract.js';

const petId = 'p1' as PetId;
const orderId = 'o1' as OrderId;
const paymentId = 'y1' as PaymentId;
const toMessage = publicMessageMapper(contracts);
const messagesOf = (stream: string, ...events: readonly (PetEvent | OrderEvent | PaymentEvent)[]) =>
  recorded(events, stream).map(toMessage);
const dataOf = (stream: string, event: PetEvent | OrderEvent | PaymentEvent): unknown =>
  JSON.parse(messagesOf(stream, event)[0]?.data ?? '');

const reserved: PetEvent = {
  type: 'PetReserved',
  data: { holder: { kind: 'order', id: orderId }, quantity: 2, userId: 'alice', unitPrice: '90.00', currency: 'EUR' },
};
const started: OrderEvent = {
  type: 'OrderPaymentStarted',
  data: {
    paymentId,
    amount: '180.00',
    currency: 'EUR',
    source: { object: 'card', number: '************4242', brand: 'visa', last4: '4242', expMonth: 12, expYear: 2030 },
    reference: 'ref_1',
  },
};
const requested: PaymentEvent = { type: 'PaymentRequested', data: { ...started.data, orderId } };

describe('an event of a published stream', () => {
  it('becomes one message, with attributes that identify it', () => {
    const [message] = messagesOf('pet-p1', reserved);
    expect(message).toEqual({
      topic: 'petstore.pets.v1',
      key: 'p1',
      attributes: {
        specversion: '1.0',
        id: 'event-0',
        type: 'petstore.pet.reserved.v1',
        source: '/petstore/pets',
        subject: 'pet-p1',
        time: '2026-01-02T03:04:05.000Z',
        datacontenttype: 'application/json',
        tenantid: 'shared',
        sequence: '1',
        eventtype: 'PetReserved',
      },
      data: '{"petId":"p1","previousStatus":"AVAILABLE","status":"PENDING","orderId":"o1"}',
    });
  });

  it('becomes a message with empty data when it is private, so that the sequence has no gap', () => {
    const placed: OrderEvent = { type: 'OrderPlaced', data: { petId, quantity: 1 } };
    const messages = messagesOf('order-o1', placed, started, { type: 'OrderApproved', data: { petId, paymentId } });
    expect(messages.map((message) => message?.attributes['sequence'])).toEqual(['1', '2', '3']);
    expect(messages[1]?.data).toBe('{}');
  });

  it('exposes neither the user, the payment source nor the gateway’s reference', () => {
    const placed: OrderEvent = { type: 'OrderPlaced', data: { petId, quantity: 1, userId: 'alice' } };
    const messages = [
      ...messagesOf('pet-p1', reserved),
      ...messagesOf('order-o1', placed, started),
      ...messagesOf('payment-y1', requested),
    ];
    expect(JSON.stringify(messages)).not.toMatch(/alice|4242|ref_1|visa/);
  });

  it('contains the status of a payment, with its amount or the reason of its failure', () => {
    expect(dataOf('payment-y1', requested)).toEqual({
      paymentId,
      orderId,
      status: 'processing',
      amount: '180.00',
      currency: 'EUR',
    });
    expect(dataOf('payment-y1', { type: 'PaymentFailed', data: { orderId, reason: 'card_declined' } })).toEqual({
      paymentId,
      orderId,
      status: 'failed',
      reason: 'card_declined',
    });
  });

  it('cannot become a message when its type is undeclared, because skipping it would leave a gap', () => {
    expect(() => recorded([{ type: 'PetPainted', data: {} }], 'pet-p1').map(toMessage)).toThrow('PetPainted');
  });
});

describe('an event of any other stream', () => {
  it('is not published', () => expect(recorded([{ type: 'Made', data: {} }], 'thing-1').map(toMessage)).toEqual([null]));
});

describe('the type of a message', () => {
  it.each([
    ['pet', 'PetListed', 'petstore.pet.listed.v1'],
    ['pet', 'PetDetailsRevised', 'petstore.pet.details-revised.v1'],
    ['order', 'OrderPaymentStarted', 'petstore.order.payment-started.v1'],
    ['thing', 'Made', 'petstore.thing.made.v1'],
  ])('of a %s’s %s is %s', (category, eventType, type) => expect(messageTypeOf(category, eventType)).toBe(type));
});
