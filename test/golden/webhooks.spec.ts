import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { exampleOf } from '../../libs/contracts/message-schema.js';
import { webhookBody, type Related, type Shown, type WebhookBody, type WebhookContract } from '../../libs/contracts/webhook-contract.js';
import { testData, webhookContracts } from '../../libs/contracts/webhooks.js';
import type { DomainEvent } from '../../libs/domain/events.js';
import type { Message, RecordedEvent } from '../../libs/eventsourcing/message.js';
import type { Projection } from '../../libs/eventsourcing/projection.js';
import { foldProjection } from '../../libs/eventsourcing/testing/fold-projection.js';
import { recorded } from '../../libs/eventsourcing/testing/recorded.js';
import { ordersProjection } from '../../libs/projections/orders.projection.js';
import { paymentsProjection } from '../../libs/projections/payments.projection.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { paymentId, samples } from './events.samples.js';
import { closed, faultsOf } from './validity.js';

const FOLDER = new URL('webhooks/', import.meta.url);
const EVENT_ID = '01a0e5b0-0000-5000-8000-00000000000e';

/** What has happened to each kind of thing, with every field that an event can have. */
const HISTORIES: Readonly<Record<string, readonly DomainEvent['type'][]>> = {
  pet: ['PetListed', 'PetReserved', 'PetAdopted'],
  order: ['OrderPlaced', 'OrderPaymentStarted', 'OrderApproved'],
  payment: ['PaymentRequested', 'PaymentFailed'],
};
const PROJECTIONS = { pet: petsProjection, order: ordersProjection, payment: paymentsProjection } as unknown as Readonly<
  Record<string, Projection>
>;

const eventOf = (type: DomainEvent['type']): Message => ({ type, data: samples[type].complete });

/** A resource as reading it answers, after some events; every stream has the same id, so that it is the same in every run. */
const shown = (category: string, types: readonly DomainEvent['type'][]): Shown | null => {
  const projection = PROJECTIONS[category];
  const document = projection && foldProjection(projection, types.map(eventOf), `${category}-${paymentId}`);
  return document ? (JSON.parse(JSON.stringify(document.body)) as Shown) : null;
};

const RELATED: Related = {
  order: shown('order', ['OrderPlaced', 'OrderPaymentStarted', 'OrderApproved']),
  payment: shown('payment', ['PaymentRequested', 'PaymentSucceeded']),
  receipt: {
    receiptId: paymentId,
    receiptUrl: `https://pets.example.com/v1/orders/${paymentId}/receipt`,
    generatedAt: '2026-01-02T03:04:05.000Z',
  },
};

/** What a contract says today of the last event of its history. */
const saidToday = ({ from, data }: WebhookContract): object | null => {
  const isFrom = (type: DomainEvent['type']) => from.includes(type);
  const [category, history] = Object.entries(HISTORIES).find(([, types]) => types.some(isFrom)) ?? ['', []];
  const place = history.findLastIndex(isFrom);
  const event = recorded(history.map(eventOf), `${category}-${paymentId}`)[place] as RecordedEvent<DomainEvent> | undefined;
  const around = { before: shown(category, history.slice(0, place)), after: shown(category, history.slice(0, place + 1)) };
  return event ? data(event, { ...around, related: RELATED }) : testData(paymentId);
};

const today = (contract: WebhookContract): string => {
  const data = saidToday(contract);
  if (!data) throw new Error(`nothing is said by ${contract.eventType}`);
  return webhookBody({ eventId: EVENT_ID, eventType: contract.eventType, timestamp: '2026-01-02T03:04:05.000Z', data });
};

const golden = (eventType: string): unknown => JSON.parse(readFileSync(new URL(`${eventType}.json`, FOLDER), 'utf8'));
const contracts = webhookContracts.map((contract) => [contract.eventType, contract] as const);

// A difference here is a difference to every receiver: what is said may be added to, and then the file is changed with it;
// nothing is ever taken away or changed.
describe('the golden body', () => {
  it.each(contracts)('of %s is what goes out', (eventType, contract) => expect(JSON.parse(today(contract))).toEqual(golden(eventType)));

  it('is there for every webhook event, and for no other', () =>
    expect(readdirSync(FOLDER).sort()).toEqual(webhookContracts.map(({ eventType }) => `${eventType}.json`).sort()));

  it.each(contracts)('of %s holds nothing sealed, and no reference of the gateway', (eventType) =>
    expect(JSON.stringify(golden(eventType))).not.toMatch(/\$sealed|ref_0190f5de/),
  );
});

describe('the schema', () => {
  it.each(contracts)('of %s says all that goes out, and fits its example', (_, contract) => {
    expect(faultsOf(closed(contract.schema), JSON.parse(today(contract)))).toEqual([]);
    expect(faultsOf(closed(contract.schema), exampleOf(contract.schema))).toEqual([]);
  });

  it.each(contracts)('of %s fits nothing that lacks a part', (_, { schema }) => {
    const example = exampleOf(schema) as WebhookBody;
    for (const name of ['eventId', 'eventType', 'timestamp', 'data'])
      expect(faultsOf(schema, { ...example, [name]: undefined })).not.toEqual([]);
    for (const name of Object.keys(example.data))
      expect(faultsOf(schema, { ...example, data: { ...example.data, [name]: undefined } })).not.toEqual([]);
  });
});
