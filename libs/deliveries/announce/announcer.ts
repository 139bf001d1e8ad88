import { webhookBody, type EventContext, type WebhookContract, type WebhookEventType } from '../../contracts/webhook-contract.js';
import { webhookContracts } from '../../contracts/webhooks.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { continueTrace, type Tracing } from '../../eventsourcing/ports/tracing.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { DomainEvent } from '../../domain/events.js';
import type { WebhookId } from '../../domain/ids.js';
import { webhookStream } from '../../domain/ids.js';
import { newDelivery, type Delivery } from '../delivery.js';
import type { Endpoint } from '../endpoints.js';
import { DeliveryStore } from '../delivery-store.js';
import { park } from '../dispatch/outcomes.js';
import { storeAndSend, type SendContext } from '../dispatch/send.js';
import { createDocumentFolds, loadEventContext, type ResourceHistory } from './event-context.js';
import { uuidV5 } from '../uuid-v5.js';

/** The dependencies of announcing, which creates the deliveries of an event to webhook endpoints. */
export type AnnounceContext = SendContext &
  ResourceHistory & {
    readonly store: EventStore;
    readonly codec: ReadCodec;
    readonly contracts: readonly WebhookContract[];
    readonly tracing?: Tracing;
  };

/** The ports that announcing needs. */
export type AnnouncePorts = Omit<AnnounceContext, 'contracts' | 'deliveries' | 'folds'> & { readonly documents: Documents };

/** Adds the contracts, the delivery store and the folds of streams to the ports. */
export const createAnnounceContext = <Ports extends AnnouncePorts>(ports: Ports): Ports & AnnounceContext => ({
  ...ports,
  contracts: webhookContracts,
  deliveries: new DeliveryStore(ports.documents),
  folds: createDocumentFolds(ports),
});

/** The webhook body that one domain event causes for one webhook event type. */
type WebhookMessage = { readonly eventId: string; readonly eventType: WebhookEventType; readonly body: string };

/**
 * Returns a function that creates the deliveries of an event to those `endpoints` that subscribe to it. The endpoints belong
 * to the tenant of the event. A call is safe to repeat, because an event and an endpoint always produce the same delivery
 * with the same body.
 */
export const createAnnouncer = (context: AnnounceContext): ((event: RecordedEvent, endpoints: readonly Endpoint[]) => Promise<void>) => {
  const registeredAt = createRegistrationLookup(context.store);
  return async (event, endpoints) => {
    for await (const message of messagesFor(context, endpoints, event)) {
      for (const endpoint of endpoints.filter(isSubscribedTo(message))) {
        // Events from before the endpoint's registration are sent only on request, as a redelivery.
        if ((await registeredAt(endpoint.id)) > event.position) continue;
        const delivery = deliveryTo(endpoint, message, event, context.clock.now());
        // Deliveries to a disabled endpoint are parked (contract 20.7).
        await storeAndSend(context, endpoint.status === 'enabled' ? delivery : park(delivery, 'disabled'));
      }
    }
  };
};

/** Builds the deliveries of an event to an endpoint, one per subscribed event type. */
export async function* deliveriesFor(context: AnnounceContext, endpoint: Endpoint, event: RecordedEvent): AsyncGenerator<Delivery> {
  for await (const message of messagesFor(context, [endpoint], event)) yield deliveryTo(endpoint, message, event, context.clock.now());
}

const isSubscribedTo =
  ({ eventType }: Pick<WebhookContract, 'eventType'>) =>
  ({ events }: Endpoint): boolean =>
    events.some((name) => name === eventType);

/**
 * Builds the messages of an event, one per event type that at least one endpoint subscribes to. Each message is built when
 * the iteration reaches it, so an error in one message does not affect the earlier ones.
 */
async function* messagesFor(
  context: AnnounceContext,
  endpoints: readonly Endpoint[],
  event: RecordedEvent,
): AsyncGenerator<WebhookMessage> {
  const contracts = context.contracts.filter(
    (contract) => contract.from.some((type) => type === event.type) && endpoints.some(isSubscribedTo(contract)),
  );
  if (contracts.length === 0) return;
  const needs = contracts.flatMap((contract) => contract.needs);
  const eventContext = await loadEventContext(context, event, needs);
  for (const contract of contracts) {
    const message = messageFor(contract, event, eventContext);
    if (message) yield message;
  }
}

const messageFor = (contract: WebhookContract, event: RecordedEvent, eventContext: EventContext): WebhookMessage | null => {
  const data = contract.data(event as RecordedEvent<DomainEvent>, eventContext);
  if (!data) return null;
  const { eventType } = contract;
  // The eventId is also the webhook-id (contract 19.1).
  const eventId = uuidV5(event.id, eventType);
  return { eventId, eventType, body: webhookBody({ eventId, eventType, timestamp: event.meta.time, data }) };
};

const deliveryTo = (endpoint: Endpoint, message: WebhookMessage, { meta }: RecordedEvent, now: Date): Delivery => {
  const { stream, revision, traceparent } = meta;
  const content = {
    ...message,
    id: uuidV5(endpoint.id, message.eventId),
    tenant: endpoint.tenant,
    target: { kind: 'webhook', webhookId: endpoint.id },
    stream,
    revision,
    sequence: sequenceOf(endpoint, stream),
  } as const;
  return newDelivery(now, continueTrace(content, traceparent));
};

/** Returns the name of a sequence. A sequence contains the deliveries to one ordered endpoint for the events of one stream. */
export const sequenceOfStream = ({ id }: Pick<Endpoint, 'id'>, stream: string): string => `${id}/${stream}`;

/** Returns the sequence of a delivery, or null if its endpoint is not ordered (contract 20.8). */
export const sequenceOf = (endpoint: Pick<Endpoint, 'id' | 'ordered'>, stream: string): string | null =>
  endpoint.ordered ? sequenceOfStream(endpoint, stream) : null;

/**
 * Returns a function that looks up the log position at which an endpoint was registered. It caches the position, which never
 * changes.
 */
const createRegistrationLookup = (store: EventStore): ((id: string) => Promise<number>) => {
  const cache = new Map<string, number>();
  return async (id) => {
    const cached = cache.get(id);
    if (cached !== undefined) return cached;
    const [first] = await store.readStream(webhookStream(id as WebhookId), 0, 1);
    if (!first) throw new Error(`the stream of webhook ${id} is empty`);
    cache.set(id, first.position);
    return first.position;
  };
};
