import { aggregateIdOf } from '../eventsourcing/message.js';
import type { PersonalFields } from '../eventsourcing/sealed.js';
import type { OrderEvent } from './orders/order.events.js';
import { PERSONAL_IN_TERMS } from './payment-terms.js';
import type { PaymentEvent } from './payments/payment.events.js';
import type { PetEvent } from './pets/pet.events.js';
import type { WebhookSlotsEvent } from './webhooks/webhook-slots.events.js';
import type { WebhookEvent } from './webhooks/webhook.events.js';

/** Everything that may stand in the log. */
export type DomainEvent = PetEvent | OrderEvent | PaymentEvent | WebhookEvent | WebhookSlotsEvent;

/** What must be known of an event type to write and read it. A type that is not declared does not compile. */
type Declared<Category extends string, Event extends DomainEvent> = {
  readonly [T in Event['type']]: {
    /** The streams it stands in: `pet` for `pet-<id>`. */
    readonly category: Category;
    /** Raised when the shape of its data changes; the older shapes stay in the log for ever. */
    readonly schemaVersion: number;
    readonly personal?: PersonalFields<Extract<Event, { type: T }>['data']>;
    /** `upcasters[1]` lifts data of version 1 to version 2. */
    readonly upcasters: Readonly<Record<number, (data: never) => unknown>>;
  };
};

type DomainEvents = Declared<'pet', PetEvent> &
  Declared<'order', OrderEvent> &
  Declared<'payment', PaymentEvent> &
  Declared<'webhook', WebhookEvent> &
  Declared<'webhookslots', WebhookSlotsEvent>;

const pet = { category: 'pet', schemaVersion: 1, upcasters: {} } as const;
const order = { category: 'order', schemaVersion: 1, upcasters: {} } as const;
const payment = { category: 'payment', schemaVersion: 1, upcasters: {} } as const;
const webhook = { category: 'webhook', schemaVersion: 1, upcasters: {} } as const;
const webhookSlots = { category: 'webhookslots', schemaVersion: 1, upcasters: {} } as const;

/**
 * The event types. A payer is known by their payment alone: the terms are sealed with the payment's key on the order's
 * stream and on its own, so that destroying the one key erases both.
 */
export const DOMAIN_EVENTS: DomainEvents = {
  PetListed: pet,
  PetDetailsRevised: pet,
  PetStatusSet: pet,
  PetReserved: pet,
  PetReleased: pet,
  PetAdopted: pet,
  PetRetired: pet,

  OrderPlaced: order,
  OrderPaymentStarted: { ...order, personal: { subject: ({ paymentId }) => payerOf(paymentId), paths: PERSONAL_IN_TERMS } },
  OrderPaymentFailed: order,
  OrderApproved: order,
  OrderShipped: order,
  OrderDelivered: order,
  OrderCancelled: order,
  OrderRemoved: order,
  OrderCallbackRequested: order,
  OrderCallbackEnded: order,

  PaymentRequested: { ...payment, personal: { subject: (_, { stream }) => payerOf(aggregateIdOf(stream)), paths: PERSONAL_IN_TERMS } },
  PaymentSucceeded: payment,
  PaymentFailed: payment,
  PaymentRefunded: payment,

  WebhookRegistered: webhook,
  WebhookRevised: webhook,
  WebhookSecretRotated: webhook,
  WebhookDisabled: webhook,
  WebhookEnabled: webhook,
  WebhookRemoved: webhook,

  WebhookSlotsCounted: webhookSlots,
  WebhookSlotClaimed: webhookSlots,
  WebhookSlotFreed: webhookSlots,
};

/** What streams' names begin with: what is named otherwise in the log's server is somebody else's. */
export const STREAM_PREFIXES: readonly string[] = [...new Set(Object.values(DOMAIN_EVENTS).map(({ category }) => `${category}-`))];

const payerOf = (paymentId: string): string => `payment:${paymentId}`;
