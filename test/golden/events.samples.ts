import type { DomainEvent } from '../../libs/domain/events.js';
import type { CallbackRequestId, OrderId, PaymentId, PetId, UserId, WebhookId } from '../../libs/domain/ids.js';
import type { PetDetails } from '../../libs/domain/pets/pet.events.js';
import type { Sealed } from '../../libs/eventsourcing/sealed.js';

/** Makes every field of a type required, so that a sample of a changed event type does not compile. */
type Complete<T> = T extends string | number | boolean
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Complete<Item>[]
    : { readonly [K in keyof T]-?: Complete<Exclude<T[K], undefined>> };

/**
 * The samples of each event type in its current shape: `complete` has every field. Other names are for other forms.
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
const holder = { kind: 'order', id: orderId } as const;
const sealed: Sealed = { $sealed: 'c2VhbGVk', subject: `payment:${paymentId}` };

const details: Complete<PetDetails> = {
  name: 'Rex',
  species: 'DOG',
  breed: 'Border Collie',
  ageMonths: 24,
  size: 'MEDIUM',
  color: 'black and white',
  gender: 'MALE',
  goodWithKids: true,
  price: '90.00',
  currency: 'EUR',
  description: 'Herds everything, even “cats” 🐈',
  photos: ['https://example.org/rex.jpg'],
  medicalInfo: { spayedNeutered: true, vaccinated: true, microchipped: true, specialNeeds: false, healthNotes: 'fit' },
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

export const samples: Samples = {
  PetListed: { complete: { details, status: 'AVAILABLE' } },
  PetDetailsRevised: { complete: { details: { ...details, ageMonths: 25 } } },
  PetStatusSet: { complete: { from: 'AVAILABLE', to: 'NOT_AVAILABLE', reason: 'staff' } },
  PetReserved: { complete: { holder, quantity: 2, userId: 'alice', shipDate: '2026-02-01', unitPrice: '90.00', currency: 'EUR' } },
  PetReleased: { complete: { holder, from: 'PENDING', to: 'AVAILABLE' } },
  PetAdopted: { complete: { holder } },
  PetRetired: { complete: { status: 'AVAILABLE' } },

  OrderPlaced: { complete: { petId, userId: 'alice', quantity: 2, shipDate: '2026-02-01', unitPrice: '90.00', currency: 'EUR' } },
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

  PaymentRequested: { complete: { orderId, ...paidByCard }, 'bank-account': { orderId, ...paidByAccount } },
  PaymentSucceeded: { complete: { orderId } },
  PaymentFailed: { complete: { orderId, reason: 'card_declined' } },
  PaymentRefunded: { complete: { orderId } },

  WebhookRegistered: { complete: webhook },
  WebhookRevised: { complete: { ...webhook, events: ['pet.adopted'], ordered: false } },
  WebhookSecretRotated: { complete: { secret: 2, rotationId: '01a0e5b0-0000-7000-8000-000000000005' } },
  WebhookDisabled: { complete: { reason: 'gone' } },
  WebhookEnabled: { complete: {} },
  WebhookRemoved: { complete: {} },

  WebhookSlotsCounted: { complete: { webhookIds: [webhookId] } },
  WebhookSlotClaimed: { complete: { webhookId, ...webhook } },
  WebhookSlotFreed: { complete: { webhookId } },

  UserRegistered: { complete: { ...profile, ...names } },
  UserRevised: { complete: { ...profile, ...names } },
  UserPasswordChanged: { complete: {} },
  UserClaimsLapsed: { complete: {} },
  UserErased: { complete: names },

  UsernameClaimed: { complete: { userId } },
  UsernameFreed: { complete: { userId } },
  EmailClaimed: { complete: { userId } },
  EmailFreed: { complete: { userId } },
};
