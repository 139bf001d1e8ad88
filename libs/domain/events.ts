import { aggregateIdOf } from '../eventsourcing/message.js';
import type { PersonalFields, Subject } from '../eventsourcing/sealed.js';
import { PERSONAL_IN_ADOPTION, type AdoptionDetails, type AdoptionEvent } from './adoptions/adoption.events.js';
import { CHECKPOINT_STREAM, type CheckpointEvent, type CountEvent } from './checkpoints/checkpoint.events.js';
import { canBeAccount, type AdoptionId, type UserId } from './ids.js';
import type { NumbersEvent } from './numbers/numbers.decider.js';
import type { OperatorEvent } from './operations/operator-actions.js';
import type { OrderEvent } from './orders/order.events.js';
import { PERSONAL_IN_TERMS } from './payment-terms.js';
import type { PaymentEvent } from './payments/payment.events.js';
import type { PetImage } from './pets/pet-image.js';
import type { PetEvent } from './pets/pet.events.js';
import type { EmailEvent, UsernameEvent } from './users/name-claim.decider.js';
import type { RevocationEvent } from './revocations/revocations.decider.js';
import { PERSONAL_IN_SECURITY_EVENTS, type SecurityEvent, type SecurityEventData } from './security/security.decider.js';
import { PERSONAL_IN_PROFILE, type UserEvent } from './users/user.events.js';
import type { WebhookSlotsEvent } from './webhooks/webhook-slots.decider.js';
import type { WebhookEvent } from './webhooks/webhook.events.js';

/** The dotted paths of the optional members of a type: `details.nickname`. The members of list items have the path of the list. */
export type OptionalPath<T> = T extends string | number | boolean
  ? never
  : T extends readonly (infer Item)[]
    ? OptionalPath<Item>
    : {
        [K in keyof T & string]: (undefined extends T[K] ? K : never) | `${K}.${OptionalPath<Exclude<T[K], undefined>>}`;
      }[keyof T & string];

/** Every event that the log can contain. */
export type DomainEvent =
  | PetEvent
  | OrderEvent
  | NumbersEvent
  | PaymentEvent
  | AdoptionEvent
  | WebhookEvent
  | WebhookSlotsEvent
  | UserEvent
  | UsernameEvent
  | EmailEvent
  | RevocationEvent
  | SecurityEvent
  | OperatorEvent
  | CheckpointEvent
  | CountEvent;

/** How each event type is written and read. A missing event type is a compile error. */
type EventDeclarations<Category extends string, Event extends DomainEvent> = {
  readonly [T in Event['type']]: {
    /** The category of the streams that contain the event: `pet` for `pet-<id>`. */
    readonly category: Category;
    /**
     * Incremented when the shape of the data changes, except for an added optional field. Events with older shapes stay in the log
     * permanently.
     */
    readonly schemaVersion: number;
    /** The optional fields that were added within this schema version. Older events of the version lack them. */
    readonly optional?: readonly OptionalPath<Extract<Event, { type: T }>['data']>[];
    /** The personal fields of the data. Absent if there are none. */
    readonly personal?: PersonalFields<Extract<Event, { type: T }>['data']>;
    /** `upcasters[1]` converts data of version 1 to version 2. */
    readonly upcasters: Readonly<Record<number, (data: never) => unknown>>;
  };
};

type DomainEvents = EventDeclarations<'pet', PetEvent> &
  EventDeclarations<'order', OrderEvent> &
  EventDeclarations<'numbers', NumbersEvent> &
  EventDeclarations<'payment', PaymentEvent> &
  EventDeclarations<'adoption', AdoptionEvent> &
  EventDeclarations<'webhook', WebhookEvent> &
  EventDeclarations<'webhookslots', WebhookSlotsEvent> &
  EventDeclarations<'user', UserEvent> &
  EventDeclarations<'username', UsernameEvent> &
  EventDeclarations<'email', EmailEvent> &
  EventDeclarations<'revocations', RevocationEvent> &
  EventDeclarations<'security', SecurityEvent> &
  EventDeclarations<'operations', OperatorEvent> &
  EventDeclarations<typeof CHECKPOINT_STREAM, CheckpointEvent | CountEvent>;

const pet = { category: 'pet', schemaVersion: 1, upcasters: {} } as const;
const order = { category: 'order', schemaVersion: 1, upcasters: {} } as const;
const numbers = { category: 'numbers', schemaVersion: 1, upcasters: {} } as const;
const payment = { category: 'payment', schemaVersion: 1, upcasters: {} } as const;
const adoption = { category: 'adoption', schemaVersion: 1, upcasters: {} } as const;
const webhook = { category: 'webhook', schemaVersion: 1, upcasters: {} } as const;
const webhookSlots = { category: 'webhookslots', schemaVersion: 1, upcasters: {} } as const;
const user = { category: 'user', schemaVersion: 1, upcasters: {} } as const;
const profile = {
  subject: (_: unknown, { stream }: { readonly stream: string }) => userSubject(aggregateIdOf(stream)),
  paths: PERSONAL_IN_PROFILE,
};
const username = { category: 'username', schemaVersion: 1, upcasters: {} } as const;
const checkpoint = { category: CHECKPOINT_STREAM, schemaVersion: 1, upcasters: {} } as const;
const security = { category: 'security', schemaVersion: 1, upcasters: {} } as const;
const operations = { category: 'operations', schemaVersion: 1, upcasters: {} } as const;
const securityData = {
  subject: (data: SecurityEventData, { stream }: { readonly stream: string }) => subjectOfSecurityEvent(aggregateIdOf(stream), data),
  paths: PERSONAL_IN_SECURITY_EVENTS,
};
/** Version 1 of these events has no `payer`, because accounts could not sign in yet. The data needs no conversion. */
const withPayer = { schemaVersion: 2, upcasters: { 1: (data: object) => data } } as const;
/**
 * Version 1 of these events has no members for the classic variant, the API under `/api/v3`. For such an event, read models
 * derive the classic number from the UUID (contract 39.3).
 */
const withClassic = { schemaVersion: 2, upcasters: { 1: (data: object) => data } } as const;
/** Versions 1 and 2 of this event have no `credentialId`: the hash of the password has no id of its own. */
const withCredential = {
  schemaVersion: 3,
  upcasters: { 1: (data: object) => data, 2: (data: object) => ({ ...data, credentialId: null }) },
} as const;
const revocations = { category: 'revocations', schemaVersion: 1, upcasters: {} } as const;
/** Version 1 of these events has no `claims`: it ends all claims of the holder. */
const withClaims = { schemaVersion: 2, upcasters: { 1: (data: object) => ({ ...data, claims: null }) } } as const;
const email = { category: 'email', schemaVersion: 1, upcasters: {} } as const;

/**
 * Declares every event type. A payer's data is encrypted with a key that belongs to one payment. If an account placed
 * the order, the data is also encrypted with the key of that account. The events of the order and of the payment use
 * the same keys, so destroying one of the keys erases the data in both streams.
 */
export const DOMAIN_EVENTS: DomainEvents = {
  PetListed: { ...pet, ...withClassic, optional: ['classic.otherPhotos'] },
  PetDetailsRevised: { ...pet, ...withClassic, optional: ['classic.otherPhotos'] },
  PetStatusSet: pet,
  PetReserved: { ...pet, ...withClassic },
  PetReleased: pet,
  PetAdopted: pet,
  PetPhotoAdded: { ...pet, personal: { subject: (image) => subjectOfImage(image), paths: ['additionalMetadata'] } },
  PetPhotoRemoved: pet,
  PetHeldForAdoption: { ...pet, optional: ['userId'] },
  PetFreedFromAdoption: pet,
  PetAdoptedByApplication: pet,
  PetRetired: pet,

  OrderPlaced: { ...order, ...withClassic },
  OrderPaymentStarted: {
    ...order,
    ...withPayer,
    personal: { subject: ({ paymentId, payer }) => subjectOfPayer(paymentId, payer), paths: PERSONAL_IN_TERMS },
  },
  OrderPaymentFailed: order,
  OrderPaymentRefunded: order,
  OrderApproved: order,
  OrderShipped: order,
  OrderDelivered: order,
  OrderCancelled: order,
  OrderRemoved: order,
  OrderCallbackRequested: order,
  OrderCallbackEnded: order,

  NumbersReserved: numbers,

  PaymentRequested: {
    ...payment,
    ...withPayer,
    personal: { subject: ({ payer }, { stream }) => subjectOfPayer(aggregateIdOf(stream), payer), paths: PERSONAL_IN_TERMS },
  },
  PaymentSucceeded: payment,
  PaymentFailed: payment,
  PaymentRefunded: payment,

  AdoptionSubmitted: {
    ...adoption,
    personal: { subject: (data, { stream }) => subjectOfAdoption(aggregateIdOf(stream), data), paths: PERSONAL_IN_ADOPTION },
  },
  AdoptionApprovalStarted: adoption,
  AdoptionApproved: adoption,
  AdoptionRejected: adoption,
  AdoptionWithdrawn: adoption,
  AdoptionExpired: adoption,
  AdoptionErased: adoption,

  WebhookRegistered: { ...webhook, optional: ['secretName'] },
  WebhookRevised: webhook,
  WebhookSecretRotated: webhook,
  WebhookDisabled: webhook,
  WebhookEnabled: webhook,
  WebhookRemoved: webhook,

  WebhookSlotsCounted: webhookSlots,
  WebhookSlotClaimed: { ...webhookSlots, optional: ['secretName'] },
  WebhookSlotFreed: webhookSlots,

  UserRegistered: { ...user, ...withCredential, optional: ['number'], personal: profile },
  UserRevised: { ...user, ...withClassic, personal: profile },
  // Version 1 has no `credentialId`, because the new password hash replaced the hash of the registration.
  UserPasswordChanged: { ...user, schemaVersion: 2, upcasters: { 1: () => ({ credentialId: null }) } },
  UserStaffGranted: user,
  UserStaffRevoked: user,
  UserDisabled: user,
  UserEnabled: user,
  UserClaimsLapsed: user,
  UserErased: user,

  UsernameClaimed: username,
  UsernameFreed: { ...username, ...withClaims },
  EmailClaimed: email,
  EmailFreed: { ...email, ...withClaims },

  SessionEnded: revocations,
  AccountTokensEnded: revocations,

  SecurityEventRecorded: { ...security, optional: ['reason'], personal: securityData },

  ParkedRetried: operations,
  RedeliveryRequested: operations,
  EventSkipped: operations,
  EventUnskipped: operations,
  ProjectionPaused: operations,
  ProjectionResumed: operations,
  ProjectionRebuildStarted: operations,
  ProjectionSwitched: operations,
  ProjectionFillDropped: operations,

  CheckpointSigned: checkpoint,
  MessagesCounted: checkpoint,
};

/**
 * The prefixes of the service's stream names. Each prefix is `<category>-`, except the prefix `checkpoint` of the streams
 * `checkpoint` and `checkpoint-counts`. Other streams on the same server belong to other software.
 */
export const STREAM_PREFIXES: readonly string[] = [
  ...new Set(Object.values(DOMAIN_EVENTS).map(({ category }) => (category === CHECKPOINT_STREAM ? category : `${category}-`))),
];

const subjectOfPayer = (paymentId: string, payer: UserId | undefined): Subject =>
  payer === undefined ? `payment:${paymentId}` : [`payment:${paymentId}`, userSubject(payer)];
const subjectOfImage = ({ imageId, uploader }: PetImage): Subject =>
  uploader === undefined ? imageSubject(imageId) : [imageSubject(imageId), userSubject(uploader)];
/** The name of the key of one image's metadata. */
export const imageSubject = (imageId: string): string => `image:${imageId}`;
/** The name of the key of one application's applicant. */
export const applicantSubject = (adoptionId: string): string => `adoption:${adoptionId}`;
/** The name of the key of the person who owns an account. */
export const userSubject = (userId: string): string => `user:${userId}`;
/** A person whose erasure the log records: the owner of an account, or an applicant. */
export type KeyOwner = { readonly kind: 'user'; readonly id: UserId } | { readonly kind: 'adoption'; readonly id: AdoptionId };
/** Returns the person whose key has that name. Returns null for the name of any other key, such as that of a payment. */
export const ownerOfKey = (name: string): KeyOwner | null => {
  const [, kind, id] = /^(user|adoption):(.+)$/.exec(name) ?? [];
  return kind === undefined ? null : ({ kind, id } as KeyOwner);
};
/** The name of the key of one day's security events. */
export const securitySubject = (day: string): string => `security:${day}`;

/**
 * Returns the names of the keys that encrypt a security event: the key of the day, and the key of an actor that is an account
 * or an applicant. The personal values are erased when either key is destroyed.
 */
const subjectOfSecurityEvent = (day: string, { actor }: SecurityEventData): Subject => {
  if (typeof actor !== 'string') return securitySubject(day);
  // The token for an adoption application has the name of the applicant's key as its subject (contract 36.7).
  if (ownerOfKey(actor)?.kind === 'adoption') return [securitySubject(day), actor];
  return canBeAccount(actor) ? [securitySubject(day), userSubject(actor)] : securitySubject(day);
};

/**
 * Returns the names of the keys that encrypt an application: its own key, and the key of the account that sent the
 * application, if any. The personal values are erased when either key is destroyed.
 */
const subjectOfAdoption = (adoptionId: string, { userId }: AdoptionDetails): Subject =>
  userId !== undefined && canBeAccount(userId) ? [applicantSubject(adoptionId), userSubject(userId)] : applicantSubject(adoptionId);
