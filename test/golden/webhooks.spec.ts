import { describe, expect, it } from '@jest/globals';
import { exampleOf } from '../../libs/contracts/message-schema.js';
import {
  webhookBody,
  type RelatedResources,
  type ResourceBody,
  type WebhookBody,
  type WebhookContract,
} from '../../libs/contracts/webhook-contract.js';
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
import { goldenFile, unexpectedFiles } from './golden-files.js';
import { forbidAdditional, validationErrors } from './validity.js';

const EVENT_ID = '01a0e5b0-0000-5000-8000-00000000000e';

/** For each kind of resource, the event types of one history. The sample of each type has every field. */
const HISTORIES: Readonly<Record<string, readonly DomainEvent['type'][]>> = {
  pet: ['PetListed', 'PetReserved', 'PetAdopted'],
  order: ['OrderPlaced', 'OrderPaymentStarted', 'OrderApproved'],
  payment: ['PaymentRequested', 'PaymentFailed'],
};
const PROJECTIONS = { pet: petsProjection, order: ordersProjection, payment: paymentsProjection } as unknown as Readonly<
  Record<string, Projection>
>;

const eventOf = (type: DomainEvent['type']): Message => ({ type, data: samples[type].complete });

/**
 * Returns the resource that a GET would return after events of these types. The stream id is fixed, so the resource is the same
 * in every run.
 */
const resourceAfter = (category: string, types: readonly DomainEvent['type'][]): ResourceBody | null => {
  const projection = PROJECTIONS[category];
  const document = projection && foldProjection(projection, types.map(eventOf), `${category}-${paymentId}`);
  return document ? (JSON.parse(JSON.stringify(document.body)) as ResourceBody) : null;
};

const RELATED: RelatedResources = {
  order: resourceAfter('order', ['OrderPlaced', 'OrderPaymentStarted', 'OrderApproved']),
  payment: resourceAfter('payment', ['PaymentRequested', 'PaymentSucceeded']),
  receipt: {
    receiptId: paymentId,
    receiptUrl: `https://pets.example.com/v1/orders/${paymentId}/receipt`,
    generatedAt: '2026-01-02T03:04:05.000Z',
  },
};

/** Returns the data that the code sends for a webhook contract, from the last event in HISTORIES that causes the webhook. */
const currentData = ({ from, data }: WebhookContract): object | null => {
  const isFrom = (type: DomainEvent['type']) => from.includes(type);
  if (from.length > 0 && !Object.values(HISTORIES).flat().some(isFrom))
    throw new Error(`add ${from[0]} to a history in HISTORIES of this spec`);
  const [category, history] = Object.entries(HISTORIES).find(([, types]) => types.some(isFrom)) ?? ['', []];
  const place = history.findLastIndex(isFrom);
  const event = recorded(history.map(eventOf), `${category}-${paymentId}`)[place] as RecordedEvent<DomainEvent> | undefined;
  const around = { before: resourceAfter(category, history.slice(0, place)), after: resourceAfter(category, history.slice(0, place + 1)) };
  return event ? data(event, { ...around, related: RELATED }) : testData(paymentId);
};

const currentBody = (contract: WebhookContract): string => {
  const data = currentData(contract);
  if (!data) throw new Error(`${contract.eventType} has no data`);
  return webhookBody({ eventId: EVENT_ID, eventType: contract.eventType, timestamp: '2026-01-02T03:04:05.000Z', data });
};

const golden = (contract: WebhookContract): unknown =>
  goldenFile(`webhooks/${contract.eventType}.json`, () => JSON.parse(currentBody(contract)));
const contracts = webhookContracts.map((contract) => [contract.eventType, contract] as const);

/**
 * Proves contract 19.1, contract 19.2, contract 19.3, contract 19.4, contract 19.5 and contract 19.6. A failure means that a body
 * has changed for every receiver. If a property was added, add it to the golden file. If a property was removed or changed,
 * revert the change.
 */
describe('the golden body', () => {
  it.each(contracts)('of %s equals the sent body', (_, contract) => expect(JSON.parse(currentBody(contract))).toEqual(golden(contract)));

  it('exists only for webhook event types', () =>
    expect(
      unexpectedFiles(
        'webhooks',
        webhookContracts.map(({ eventType }) => `${eventType}.json`),
      ),
    ).toEqual([]));

  it.each(contracts)('of %s contains no encrypted value and no gateway reference', (_, contract) =>
    expect(JSON.stringify(golden(contract))).not.toMatch(/\$sealed|ref_0190f5de/),
  );
});

/** Proves contract 19.2. */
describe('the schema', () => {
  it.each(contracts)('of %s accepts the sent body and its own example', (_, contract) => {
    expect(validationErrors(forbidAdditional(contract.schema), JSON.parse(currentBody(contract)))).toEqual([]);
    expect(validationErrors(forbidAdditional(contract.schema), exampleOf(contract.schema))).toEqual([]);
  });

  it.each(contracts)('of %s rejects a body without one of its properties', (_, { schema }) => {
    const example = exampleOf(schema) as WebhookBody;
    for (const name of ['eventId', 'eventType', 'timestamp', 'data'])
      expect(validationErrors(schema, { ...example, [name]: undefined })).not.toEqual([]);
    for (const name of Object.keys(example.data))
      expect(validationErrors(schema, { ...example, data: { ...example.data, [name]: undefined } })).not.toEqual([]);
  });
});
