import { publicMessageMapper, contracts } from '../../contracts/contracts.js';
import { ORDER_CALLBACK } from '../../contracts/order-callback.js';
import { webhookContracts } from '../../contracts/webhooks.js';
import type { DeliveryStatus } from '../../deliveries/delivery.js';
import { DeliveryStore } from '../../deliveries/delivery-store.js';
import { uuidV5 } from '../../deliveries/uuid-v5.js';
import { webhookSlotsStream } from '../../domain/ids.js';
import type { WebhookSlotsEvent } from '../../domain/webhooks/webhook-slots.decider.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { readHistory, type VerifiedLog } from '../../runtime/codec/verified-history.js';
import { shownEvent, type EventWithChanges, type Visibility } from './shown-events.js';
import { StreamChanges } from './stream-changes.js';

/** The message that is published to a topic for an event. */
export type ShownMessage = { readonly topic: string; readonly key: string; readonly type: string; readonly sequence: string };

/** A delivery that an event caused. */
export type ShownDelivery = {
  readonly id: string;
  readonly eventType: string;
  readonly webhookId?: string;
  readonly orderId?: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly createdAt: string;
};

/** An event with its consequences: changes, a message and deliveries. */
export type EventWithConsequences = EventWithChanges & {
  /** Null if the event is not published. */
  readonly message: ShownMessage | null;
  readonly deliveries: readonly ShownDelivery[];
};

/** The ports with which consequences are found. */
export type ConsequencePorts = VerifiedLog & { readonly documents: Documents };

const toMessage = publicMessageMapper(contracts);

/** Returns events with their consequences, in the same order. Events of aggregates that are not audited have no changes. */
export const withConsequences = async (
  ports: ConsequencePorts,
  events: readonly RecordedEvent[],
  visibility: Visibility,
): Promise<readonly EventWithConsequences[]> => {
  const changed = await changedEvents(ports, events, visibility);
  const endpoints = new Map<string, Promise<readonly string[]>>();
  const endpointsOf = (tenant: string): Promise<readonly string[]> => {
    const found = endpoints.get(tenant) ?? everyEndpointOf(ports, tenant);
    endpoints.set(tenant, found);
    return found;
  };
  return Promise.all(
    events.map(async (event) => ({
      ...(changed.get(event.id) ?? { ...(await shownEvent(event, visibility)), changes: [] }),
      message: messageOf(event),
      deliveries: await deliveriesOf(ports, event, await endpointsOf(event.meta.tenant)),
    })),
  );
};

/** Returns the events of audited aggregates with their changes, by event id. Reads no stream beyond the last of its events. */
const changedEvents = async (
  ports: VerifiedLog,
  events: readonly RecordedEvent[],
  visibility: Visibility,
): Promise<ReadonlyMap<string, EventWithChanges>> => {
  const last = new Map(events.map(({ meta }) => [meta.stream, meta.revision]));
  const changes = new StreamChanges(ports, visibility, (stream) => last.get(stream) ?? Infinity);
  const byId = new Map<string, EventWithChanges>();
  for (const event of events) {
    const changed = await changes.read(event);
    if (changed) byId.set(event.id, changed);
  }
  return byId;
};

const messageOf = (event: RecordedEvent): ShownMessage | null => {
  const message = toMessage(event);
  if (!message) return null;
  const { type = '', sequence = '' } = message.attributes;
  return { topic: message.topic, key: message.key, type, sequence };
};

/** Returns the ids of all endpoints that a tenant has ever had, because deleted endpoints have deliveries too. */
const everyEndpointOf = async (log: VerifiedLog, tenant: string): Promise<readonly string[]> => {
  const events = (await readHistory(log, webhookSlotsStream(tenant))).map((event) => eventOf<WebhookSlotsEvent>(event));
  return [
    ...new Set(
      events.flatMap((event) => {
        if (event.type === 'WebhookSlotsCounted') return event.data.webhookIds;
        return event.type === 'WebhookSlotClaimed' ? [event.data.webhookId] : [];
      }),
    ),
  ];
};

/** Finds the deliveries of an event by their ids, which are derived from the ids of the event and the endpoint. */
const deliveriesOf = async (
  { documents }: ConsequencePorts,
  { id, type }: RecordedEvent,
  endpoints: readonly string[],
): Promise<readonly ShownDelivery[]> => {
  const messageIds = webhookContracts
    .filter(({ from }) => from.some((source) => source === type))
    .map(({ eventType }) => uuidV5(id, eventType));
  const ids = messageIds.flatMap((messageId) => endpoints.map((endpoint) => uuidV5(endpoint, messageId)));
  const store = new DeliveryStore(documents);
  const found = await Promise.all(
    [...ids, ...(type === 'OrderCallbackRequested' ? [uuidV5(id, ORDER_CALLBACK)] : [])].map((deliveryId) => store.read(deliveryId)),
  );
  return found.flatMap((delivery) => {
    if (!delivery) return [];
    const { target, eventType, status, attempts, createdAt } = delivery;
    const owner = target.kind === 'webhook' ? { webhookId: target.webhookId } : { orderId: target.orderId };
    return [{ id: delivery.id, eventType, ...owner, status, attempts: attempts.length, createdAt }];
  });
};
