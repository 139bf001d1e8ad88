import { webhookBody, type RelatedResources, type ResourceBody, type WebhookContract } from '../../libs/contracts/webhook-contract.js';
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
import { goldenChange, type GoldenChange } from './golden-files.js';

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
    throw new Error(`add ${from[0]} to a history in HISTORIES of test/golden/golden-webhooks.ts`);
  const [category, history] = Object.entries(HISTORIES).find(([, types]) => types.some(isFrom)) ?? ['', []];
  const place = history.findLastIndex(isFrom);
  const event = recorded(history.map(eventOf), `${category}-${paymentId}`)[place] as RecordedEvent<DomainEvent> | undefined;
  const around = { before: resourceAfter(category, history.slice(0, place)), after: resourceAfter(category, history.slice(0, place + 1)) };
  return event ? data(event, { ...around, related: RELATED }) : testData(paymentId);
};

/** Returns the body that the code sends for a webhook contract. */
export const webhookBodyOf = (contract: WebhookContract): string => {
  const data = currentData(contract);
  if (!data) throw new Error(`${contract.eventType} has no data`);
  return webhookBody({ eventId: EVENT_ID, eventType: contract.eventType, timestamp: '2026-01-02T03:04:05.000Z', data });
};

export const webhookFile = (eventType: string): string => `webhooks/${eventType}.json`;

const REMEDY = 'Receivers rely on it: restore it.';

/** Compares the body of a webhook with its golden file. */
export const webhookChange = (contract: WebhookContract): GoldenChange | null =>
  goldenChange(webhookFile(contract.eventType), JSON.parse(webhookBodyOf(contract)), REMEDY);

/** Returns the changes of all webhooks. */
export const webhookChanges = (): readonly GoldenChange[] => webhookContracts.flatMap((contract) => webhookChange(contract) ?? []);
