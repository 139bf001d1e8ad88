import { aggregateIdOf } from '../eventsourcing/message.js';
import type { PersonalFields } from '../eventsourcing/sealed.js';
import type { OrderEvent } from './orders/order.events.js';
import { PERSONAL_IN_TERMS } from './payment-terms.js';
import type { PaymentEvent } from './payments/payment.events.js';
import type { PetEvent } from './pets/pet.events.js';
import type { EmailEvent, UsernameEvent } from './users/name-claim.events.js';
import { PERSONAL_IN_PROFILE, type UserEvent } from './users/user.events.js';
import type { WebhookSlotsEvent } from './webhooks/webhook-slots.events.js';
import type { WebhookEvent } from './webhooks/webhook.events.js';

/** Every event that the log can contain. */
export type DomainEvent = PetEvent | OrderEvent | PaymentEvent | WebhookEvent | WebhookSlotsEvent | UserEvent | UsernameEvent | EmailEvent;

/** How each event type is written and read. A missing event type is a compile error. */
type EventDeclarations<Category extends string, Event extends DomainEvent> = {
  readonly [T in Event['type']]: {
    /** The category of its streams: `pet` for `pet-<id>`. */
    readonly category: Category;
    /**
     * Incremented when the shape of the data changes. Events with older shapes stay in the log permanently.
     */
    readonly schemaVersion: number;
    readonly personal?: PersonalFields<Extract<Event, { type: T }>['data']>;
    /** `upcasters[1]` converts data of version 1 to version 2. */
    readonly upcasters: Readonly<Record<number, (data: never) => unknown>>;
  };
};

type DomainEvents = EventDeclarations<'pet', PetEvent> &
  EventDeclarations<'order', OrderEvent> &
  EventDeclarations<'payment', PaymentEvent> &
  EventDeclarations<'webhook', WebhookEvent> &
  EventDeclarations<'webhookslots', WebhookSlotsEvent> &
  EventDeclarations<'user', UserEvent> &
  EventDeclarations<'username', UsernameEvent> &
  EventDeclarations<'email', EmailEvent>;

const pet = { category: 'pet', schemaVersion: 1, upcasters: {} } as const;
const order = { category: 'order', schemaVersion: 1, upcasters: {} } as const;
const payment = { category: 'payment', schemaVersion: 1, upcasters: {} } as const;
const webhook = { category: 'webhook', schemaVersion: 1, upcasters: {} } as const;
const webhookSlots = { category: 'webhookslots', schemaVersion: 1, upcasters: {} } as const;
const user = { category: 'user', schemaVersion: 1, upcasters: {} } as const;
const profile = {
  subject: (_: unknown, { stream }: { readonly stream: string }) => userSubject(aggregateIdOf(stream)),
  paths: PERSONAL_IN_PROFILE,
};
const username = { category: 'username', schemaVersion: 1, upcasters: {} } as const;
const email = { category: 'email', schemaVersion: 1, upcasters: {} } as const;

/**
 * Declares every event type. A payer's data is encrypted with a key that belongs to one payment. Events of
 * the order and of the payment use that key, so destroying it erases the data in both streams.
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
  OrderPaymentStarted: { ...order, personal: { subject: ({ paymentId }) => payerSubject(paymentId), paths: PERSONAL_IN_TERMS } },
  OrderPaymentFailed: order,
  OrderApproved: order,
  OrderShipped: order,
  OrderDelivered: order,
  OrderCancelled: order,
  OrderRemoved: order,
  OrderCallbackRequested: order,
  OrderCallbackEnded: order,

  PaymentRequested: { ...payment, personal: { subject: (_, { stream }) => payerSubject(aggregateIdOf(stream)), paths: PERSONAL_IN_TERMS } },
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

  UserRegistered: { ...user, personal: profile },
  UserRevised: { ...user, personal: profile },
  UserPasswordChanged: user,
  UserClaimsLapsed: user,
  UserErased: user,

  UsernameClaimed: username,
  UsernameFreed: username,
  EmailClaimed: email,
  EmailFreed: email,
};

/**
 * The prefixes of the service's stream names. Other streams on the same server belong to other applications.
 */
export const STREAM_PREFIXES: readonly string[] = [...new Set(Object.values(DOMAIN_EVENTS).map(({ category }) => `${category}-`))];

const payerSubject = (paymentId: string): string => `payment:${paymentId}`;
/** The name of the key of one account's person. */
export const userSubject = (userId: string): string => `user:${userId}`;
