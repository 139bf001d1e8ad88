import { webhookBody, type EventContext, type WebhookContract, type WebhookEventType } from '../../contracts/webhook-contract.js';
import { webhookContracts } from '../../contracts/webhooks.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { DomainEvent } from '../../domain/events.js';
import type { WebhookId } from '../../domain/ids.js';
import { webhookStream } from '../../domain/ids.js';
import { newDelivery, type Delivery } from '../delivery.js';
import type { Endpoint } from '../endpoints.js';
import { DeliveryStore } from '../delivery-store.js';
import { park } from '../dispatch/outcomes.js';
import { sendNew, type SendContext } from '../dispatch/send.js';
import { loadEventContext, type ResourceHistory } from './event-context.js';
import { uuidV5 } from '../uuid-v5.js';

/** What it takes to tell webhook endpoints of an event. */
export type AnnounceContext = SendContext &
  ResourceHistory & {
    readonly store: EventStore;
    readonly contracts: readonly WebhookContract[];
  };

/** What telling webhook endpoints works on. */
export type AnnouncePorts = Omit<AnnounceContext, 'contracts' | 'deliveries'> & { readonly documents: Documents };

/** What it takes to announce, on these ports. */
export const createAnnounceContext = <Ports extends AnnouncePorts>(ports: Ports): Ports & AnnounceContext => ({
  ...ports,
  contracts: webhookContracts,
  deliveries: new DeliveryStore(ports.documents),
});

/** What an event says under one of its names. */
type Said = { readonly eventId: string; readonly eventType: WebhookEventType; readonly body: string };

/**
 * Tells an event to those endpoints of its tenant that ask for it: safe to repeat, since the same event and endpoint
 * always make the same delivery. What is said does not depend on when it is said.
 */
export const createAnnouncer = (announcing: AnnounceContext): ((event: RecordedEvent, endpoints: readonly Endpoint[]) => Promise<void>) => {
  const registeredAt = registrations(announcing.store);
  return async (event, endpoints) => {
    for await (const said of saidTo(announcing, endpoints, event)) {
      for (const endpoint of endpoints.filter(asksFor(said))) {
        // What happened before an endpoint was registered is sent when its owner asks for it.
        if ((await registeredAt(endpoint.id)) > event.position) continue;
        const delivery = deliveryTo(endpoint, said, event, announcing.clock.now());
        await sendNew(announcing, endpoint.status === 'enabled' ? delivery : park(delivery, 'disabled'));
      }
    }
  };
};

/** What an endpoint is told of an event, parked or not: for each contract that it asks for. */
export async function* deliveriesFor(announcing: AnnounceContext, endpoint: Endpoint, event: RecordedEvent): AsyncGenerator<Delivery> {
  for await (const said of saidTo(announcing, [endpoint], event)) yield deliveryTo(endpoint, said, event, announcing.clock.now());
}

const asksFor =
  ({ eventType }: Pick<WebhookContract, 'eventType'>) =>
  ({ events }: Endpoint): boolean =>
    events.some((name) => name === eventType);

/**
 * What an event says, under each name that one of these endpoints asks for. Each is worked out when its turn comes: one
 * that cannot be keeps back none before it.
 */
async function* saidTo(announcing: AnnounceContext, endpoints: readonly Endpoint[], event: RecordedEvent): AsyncGenerator<Said> {
  const asked = announcing.contracts.filter(
    (contract) => contract.from.some((type) => type === event.type) && endpoints.some(asksFor(contract)),
  );
  if (asked.length === 0) return;
  const needs = asked.flatMap((contract) => contract.needs);
  const surroundings = await loadEventContext(announcing, event, needs);
  for (const contract of asked) {
    const said = saidBy(contract, event, surroundings);
    if (said) yield said;
  }
}

const saidBy = (contract: WebhookContract, event: RecordedEvent, surroundings: EventContext): Said | null => {
  const data = contract.data(event as RecordedEvent<DomainEvent>, surroundings);
  if (!data) return null;
  const { eventType } = contract;
  // "eventId = webhook-id = UUIDv5(event id, event type)"
  const eventId = uuidV5(event.id, eventType);
  return { eventId, eventType, body: webhookBody({ eventId, eventType, timestamp: event.meta.time, data }) };
};

const deliveryTo = (endpoint: Endpoint, said: Said, { meta: { stream, revision } }: RecordedEvent, now: Date): Delivery =>
  newDelivery(now, {
    ...said,
    id: uuidV5(endpoint.id, said.eventId),
    tenant: endpoint.tenant,
    target: { kind: 'webhook', webhookId: endpoint.id },
    stream,
    revision,
    sequence: sequenceOf(endpoint, stream),
  });

/** Names what an endpoint that asks for order is told of one stream. */
export const sequenceName = ({ id }: Pick<Endpoint, 'id'>, stream: string): string => `${id}/${stream}`;

/** "`ordered: true` at registration keeps order per aggregate." */
export const sequenceOf = (endpoint: Pick<Endpoint, 'id' | 'ordered'>, stream: string): string | null =>
  endpoint.ordered ? sequenceName(endpoint, stream) : null;

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
