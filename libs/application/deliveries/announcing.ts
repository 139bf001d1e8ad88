import type { WebhookContract } from '../../contracts/webhook-contract.js';
import { webhookBody } from '../../contracts/webhook-contract.js';
import type { Documents } from '../../eventsourcing/documents.port.js';
import type { EventStore } from '../../eventsourcing/event-store.port.js';
import { categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { DomainEvent } from '../../domain/events.js';
import type { WebhookId } from '../../domain/ids.js';
import { webhookStream } from '../../domain/ids.js';
import type { Delivery } from './delivery.js';
import type { Endpoint } from './endpoints.js';
import { parked } from './outcomes.js';
import { send, type Sending } from './sending.js';
import { surroundingsOf, type Looking } from './surroundings.js';
import { uuidV5 } from './uuid-v5.js';

/** What it takes to tell webhook endpoints of an event. */
export type Announcing = Sending &
  Looking & {
    readonly store: EventStore;
    readonly documents: Documents;
    readonly contracts: readonly WebhookContract[];
  };

/** What an event says to those who asked for it. */
type Said = { readonly eventId: string; readonly eventType: WebhookContract['eventType']; readonly body: string };

/** The contracts by the event types that they are made from. */
export const contractsFor = (contracts: readonly WebhookContract[]): ReadonlyMap<string, readonly WebhookContract[]> => {
  const byType = new Map<string, WebhookContract[]>();
  for (const contract of contracts) for (const type of contract.from) byType.set(type, [...(byType.get(type) ?? []), contract]);
  return byType;
};

/**
 * Tells an event to those endpoints of its tenant that ask for it: safe to repeat, since the same event and endpoint
 * always make the same delivery. What is said does not depend on when it is said.
 */
export const announcerOf = (announcing: Announcing): ((event: RecordedEvent, endpoints: readonly Endpoint[]) => Promise<void>) => {
  const contracts = contractsFor(announcing.contracts);
  const registeredAt = registrations(announcing.store);
  return async (event, endpoints) => {
    for (const contract of contracts.get(event.type) ?? []) {
      const asking = endpoints.filter(({ events }) => events.some((name) => name === contract.eventType));
      const said = asking.length > 0 ? await saidBy(announcing, contract, event) : null;
      if (!said) continue;
      for (const endpoint of asking) {
        // What happened before an endpoint was registered is sent when its owner asks for it.
        if ((await registeredAt(endpoint.id)) > event.position) continue;
        const delivery = deliveryTo(endpoint, said, event, announcing.clock.now());
        await send(announcing, endpoint.status === 'enabled' ? delivery : parked(delivery, 'disabled'));
      }
    }
  };
};

/** What an endpoint is told of an event, parked or not: for each contract that it asks for. */
export const deliveriesTo = async (announcing: Announcing, endpoint: Endpoint, event: RecordedEvent): Promise<readonly Delivery[]> => {
  const asked = announcing.contracts.filter(
    ({ eventType, from }) => from.some((type) => type === event.type) && endpoint.events.some((name) => name === eventType),
  );
  const said = await Promise.all(asked.map((contract) => saidBy(announcing, contract, event)));
  return said.flatMap((one) => (one ? [deliveryTo(endpoint, one, event, announcing.clock.now())] : []));
};

const saidBy = async (looking: Looking, contract: WebhookContract, event: RecordedEvent): Promise<Said | null> => {
  if (categoryOf(event.meta.stream) !== contract.category) return null;
  const data = contract.data(event as RecordedEvent<DomainEvent>, await surroundingsOf(looking, event, contract));
  if (!data) return null;
  const { eventType } = contract;
  // "eventId = webhook-id = UUIDv5(event id, event type)"
  const eventId = uuidV5(event.id, eventType);
  return { eventId, eventType, body: webhookBody({ eventId, eventType, timestamp: event.meta.time, data }) };
};

const deliveryTo = (
  { id, tenant, ordered }: Endpoint,
  { eventId, eventType, body }: Said,
  { meta }: RecordedEvent,
  now: Date,
): Delivery => {
  const createdAt = now.toISOString();
  return {
    id: uuidV5(id, eventId),
    tenant,
    target: { kind: 'webhook', webhookId: id },
    eventId,
    eventType,
    stream: meta.stream,
    revision: meta.revision,
    sequence: sequenceOf({ id, ordered }, meta.stream),
    createdAt,
    status: ordered ? 'waiting' : 'pending',
    round: 0,
    failures: 0,
    attempts: [],
    nextAttemptAt: createdAt,
    body,
  };
};

/** Names what an endpoint that asks for order is told of one stream. */
export const sequenceIn = ({ id }: Pick<Endpoint, 'id'>, stream: string): string => `${id}/${stream}`;

/** "`ordered: true` at registration keeps order per aggregate." */
export const sequenceOf = (endpoint: Pick<Endpoint, 'id' | 'ordered'>, stream: string): string | null =>
  endpoint.ordered ? sequenceIn(endpoint, stream) : null;

/** Answers at which position of the log an endpoint was registered; it never changes. */
const registrations = (store: EventStore): ((id: string) => Promise<number>) => {
  const known = new Map<string, number>();
  return async (id) => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const [first] = await store.readStream(webhookStream(id as WebhookId), 0, 1);
    if (!first) throw new Error(`the webhook ${id} has no beginning`);
    known.set(id, first.position);
    return first.position;
  };
};
