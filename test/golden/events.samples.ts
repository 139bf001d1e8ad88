import { exampleOf, type Schema } from '../../libs/contracts/message-schema.js';
import { PET_DETAILS_SCHEMA } from '../../libs/contracts/topics/pets.messages.js';
import type { DomainEvent } from '../../libs/domain/events.js';
import type { AdoptionId, CallbackRequestId, ImageId, OrderId, PaymentId, PetId, UserId, WebhookId } from '../../libs/domain/ids.js';
import type { ClassicDetails, PetDetails } from '../../libs/domain/pets/pet.events.js';
import type { Sealed } from '../../libs/eventsourcing/sealed.js';

/** Makes every field of a type required, so that a sample of a changed event type does not compile. */
type Complete<T> = T extends string | number | boolean
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Complete<Item>[]
    : { readonly [K in keyof T]-?: Complete<Exclude<T[K], undefined>> };

/**
 * The samples of each event type in its current shape. The sample `complete` has every field. Any other sample has the name of
 * its form, for example `bank-account`.
 */
type Samples = {
  readonly [T in DomainEvent['type']]: { readonly complete: Complete<Extract<DomainEvent, { type: T }>['data']> } & Readonly<
    Record<string, Complete<Extract<DomainEvent, { type: T }>['data']>>
  >;
};

const petId = '01a0e5b0-0000-7000-8000-000000000001' as PetId;
const orderId = '01a0e5b0-0000-7000-8000-000000000002' as OrderId;
const requestId = '01a0e5b0-0000-7000-8000-000000000004' as CallbackRequestId;
/** The payment's id, which is also part of its stream name. */
export const paymentId = '01a0e5b0-0000-7000-8000-000000000003' as PaymentId;
const webhookId = '01a0e5b0-0000-7000-8000-000000000006' as WebhookId;
const userId = '01a0e5b0-0000-7000-8000-000000000007' as UserId;
const imageId = '01a0e5b0-0000-7000-8000-000000000008' as ImageId;
const adoptionId = '01a0e5b0-0000-7000-8000-000000000009' as AdoptionId;
const otherAdoptionId = '01a0e5b0-0000-7000-8000-00000000000a' as AdoptionId;
const holder = { kind: 'order', id: orderId } as const;
const sealed: Sealed = { $sealed: 'c2VhbGVk', subject: [`payment:${paymentId}`, `user:${userId}`] };

const securitySealed: Sealed = { $sealed: 'c2VhbGVk', subject: `security:${paymentId}` };

/** Returns a schema's example, which has every property. */
const exampleIn = <T>(schema: Schema<T>): Complete<T> => exampleOf(schema) as Complete<T>;

// The sample follows from the schema in libs/contracts/topics/pets.messages.ts: add a field there. Only a private detail, which no
// message has, is added here: { ...exampleIn(PET_DETAILS_SCHEMA), detail: 'value' }.
const details: Complete<PetDetails> = exampleIn(PET_DETAILS_SCHEMA);

const classic: Complete<ClassicDetails> = {
  category: { id: 1, name: 'Dogs' },
  tags: [{ id: 2, name: 'gentle' }],
  otherPhotos: [{ at: 1, text: 'luna.jpg' }],
};

const paidByCard = {
  amount: '180.00',
  currency: 'EUR',
  source: {
    object: 'card',
    name: sealed,
    number: '************4242',
    brand: 'visa',
    last4: '4242',
    expMonth: 12,
    expYear: 2030,
    addressLine1: sealed,
    addressLine2: sealed,
    addressCity: sealed,
    addressCountry: sealed,
    addressPostCode: sealed,
  },
  payer: userId,
  reference: 'ref_0190f5de',
} as const;

const paidByAccount = {
  ...paidByCard,
  source: {
    object: 'bank_account',
    name: sealed,
    number: '********6789',
    sortCode: sealed,
    accountType: 'individual',
    bankName: sealed,
    country: 'gb',
  },
} as const;

const sealedForApplicant: Sealed = { $sealed: 'c2VhbGVk', subject: `adoption:${paymentId}` };
const sealedForUser: Sealed = { $sealed: 'c2VhbGVk', subject: `user:${userId}` };
const profile = {
  username: sealedForUser,
  email: sealedForUser,
  firstName: sealedForUser,
  lastName: sealedForUser,
  phone: sealedForUser,
} as const;
const names = { usernameDigest: 'a'.repeat(64), emailDigest: 'b'.repeat(64) };

const webhook = {
  url: 'https://shop.example.com/hooks',
  events: ['order.statusChanged', 'payment.succeeded'],
  ordered: true,
} as const;

const digest = (letter: string): string => letter.repeat(43);

export const samples: Samples = {
  NumbersReserved: { complete: { first: 1, last: 100 } },

  PetListed: { complete: { details, status: 'AVAILABLE', number: 7, classic } },
  PetDetailsRevised: { complete: { details: { ...details, ageMonths: 25 }, classic } },
  PetStatusSet: { complete: { from: 'AVAILABLE', to: 'NOT_AVAILABLE', reason: 'staff' } },
  PetReserved: {
    complete: { holder, quantity: 2, userId: 'alice', shipDate: '2026-02-01', unitPrice: '90.00', currency: 'EUR', number: 8 },
  },
  PetReleased: { complete: { holder, from: 'PENDING', to: 'AVAILABLE' } },
  PetAdopted: { complete: { holder } },
  PetPhotoAdded: {
    complete: {
      imageId,
      mediaType: 'image/jpeg',
      width: 1600,
      height: 1200,
      bytes: 240_000,
      digest: digest('i'),
      uploader: userId,
      additionalMetadata: { $sealed: 'c2VhbGVk', subject: `image:${imageId}` },
    },
  },
  PetPhotoRemoved: { complete: { imageId, digest: digest('i') } },
  PetHeldForAdoption: { complete: { adoptionIds: [adoptionId], userId: 'alice' } },
  PetFreedFromAdoption: { complete: {} },
  PetAdoptedByApplication: { complete: { adoptionId, otherIds: [otherAdoptionId] } },
  PetRetired: { complete: { status: 'AVAILABLE' } },

  OrderPlaced: {
    complete: { petId, userId: 'alice', quantity: 2, shipDate: '2026-02-01', unitPrice: '90.00', currency: 'EUR', number: 8 },
  },
  OrderPaymentStarted: { complete: { paymentId, ...paidByCard }, 'bank-account': { paymentId, ...paidByAccount } },
  OrderPaymentFailed: { complete: { paymentId, reason: 'card_declined' } },
  OrderApproved: { complete: { petId, paymentId } },
  OrderShipped: { complete: { shipDate: '2026-02-01' } },
  OrderDelivered: { complete: { petId } },
  OrderCancelled: { complete: { reason: 'requested', petId, paymentId } },
  OrderRemoved: { complete: { petId, status: 'approved' } },
  OrderCallbackRequested: {
    complete: {
      requestId,
      callbackUrl: 'https://shop.example.com/callbacks?order=1',
      amount: '180.00',
      currency: 'EUR',
      timestamp: '2026-01-02T03:04:05Z',
    },
  },
  OrderCallbackEnded: { complete: { requestId, outcome: 'delivered' } },
  OrderPaymentRefunded: { complete: { paymentId } },

  PaymentRequested: { complete: { orderId, ...paidByCard }, 'bank-account': { orderId, ...paidByAccount } },
  PaymentSucceeded: { complete: { orderId } },
  PaymentFailed: { complete: { orderId, reason: 'card_declined' } },
  PaymentRefunded: { complete: { orderId } },

  AdoptionSubmitted: {
    complete: {
      petId,
      userId: 'alice',
      applicant: { name: sealedForApplicant, email: sealedForApplicant, phone: sealedForApplicant },
      message: sealedForApplicant,
    },
  },
  AdoptionApprovalStarted: { complete: { petId } },
  AdoptionApproved: { complete: { petId } },
  AdoptionRejected: { complete: { petId, reason: 'declined' } },
  AdoptionWithdrawn: { complete: { petId } },
  AdoptionExpired: { complete: { petId } },
  AdoptionErased: { complete: {} },

  WebhookRegistered: { complete: { ...webhook, secretName: 'my laptop' } },
  WebhookRevised: { complete: { ...webhook, events: ['pet.adopted'], ordered: false } },
  WebhookSecretRotated: { complete: { secret: 2, rotationId: '01a0e5b0-0000-7000-8000-000000000005' } },
  WebhookDisabled: { complete: { reason: 'gone' } },
  WebhookEnabled: { complete: {} },
  WebhookRemoved: { complete: {} },

  WebhookSlotsCounted: { complete: { webhookIds: [webhookId] } },
  WebhookSlotClaimed: { complete: { webhookId, ...webhook, secretName: 'my laptop' } },
  WebhookSlotFreed: { complete: { webhookId } },

  UserRegistered: { complete: { ...profile, ...names, credentialId: userId, userStatus: 1, number: 3 } },
  UserRevised: { complete: { ...profile, ...names, userStatus: 2 } },
  UserPasswordChanged: { complete: { credentialId: '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c94' }, unnamed: { credentialId: null } },
  UserStaffGranted: { complete: {} },
  UserStaffRevoked: { complete: {} },
  UserDisabled: { complete: {} },
  UserEnabled: { complete: {} },
  UserClaimsLapsed: { complete: {} },
  UserErased: { complete: names },

  UsernameClaimed: { complete: { userId } },
  UsernameFreed: { complete: { userId, claims: [0] } },
  EmailClaimed: { complete: { userId } },
  EmailFreed: { complete: { userId, claims: [0] } },

  SessionEnded: { complete: { sessionId: '01a0e5b0-0000-7000-8000-000000000008', userId } },
  SecurityEventRecorded: {
    complete: {
      kind: 'request-denied',
      operation: 'listUsers',
      actor: securitySealed,
      address: securitySealed,
      client: securitySealed,
      target: userId,
      reason: 'they have left the shop',
      status: 403,
      count: 3,
    },
  },
  ParkedRetried: { complete: { name: 'pets', stream: `pet-${petId}`, cause: 'error-3f9a1c04', reason: 'release 5.2 handles it' } },
  RedeliveryRequested: {
    complete: { deliveryId: orderId, stream: `pet-${petId}`, revision: 2, reason: 'the receiver lost it' },
  },
  EventSkipped: { complete: { name: 'pets', stream: `pet-${petId}`, revision: 2, reason: 'a price without a currency' } },
  EventUnskipped: {
    complete: { name: 'pets', stream: `pet-${petId}`, revision: 2, reason: 'release 5.2 handles it' },
  },
  ProjectionPaused: { complete: { projection: 'pets', reason: 'release 5.2 will repair it' } },
  ProjectionResumed: { complete: { projection: 'pets', reason: 'release 5.2 is installed' } },
  ProjectionRebuildStarted: { complete: { projection: 'pets', version: 4, hold: true, reason: 'a damaged row' } },
  ProjectionSwitched: { complete: { projection: 'pets', version: 4, back: false, reason: 'the fill is right' } },
  ProjectionFillDropped: { complete: { projection: 'pets', dropped: 'kept', reason: 'it is not needed' } },
  AccountTokensEnded: { complete: { userId, before: 3 } },

  CheckpointSigned: {
    complete: {
      checkpoint: {
        version: 'petstore-checkpoint/1',
        store: '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c95',
        index: 1,
        size: 3,
        root: digest('a'),
        time: '2026-01-02T03:04:05.678Z',
        previous: digest('b'),
        tenants: [digest('c')],
        keyId: digest('d'),
      },
      signature: 'e'.repeat(86),
      state: {
        last: { position: 3, id: '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c96' },
        subtrees: [digest('f'), digest('g')],
        tenants: [{ tenant: 'shared', count: 3, hash: digest('h') }],
      },
    },
  },
  MessagesCounted: {
    complete: {
      count: {
        version: 'petstore-count/1',
        store: '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c95',
        index: 4,
        part: 1,
        parts: 2,
        tenant: 'shared',
        day: '2026-01-01',
        topics: [{ topic: 'petstore.orders.v1', count: 3 }],
        keyId: digest('d'),
      },
      signature: 'e'.repeat(86),
      state: {
        openDay: '2026-01-02',
        last: { position: 9, id: '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c96' },
        from: { position: 7, id: '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c97' },
      },
    },
  },
};
