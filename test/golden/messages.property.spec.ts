import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { publishedMessages } from '../../libs/contracts/message-contract.js';
import { contracts, publicMessageMapper } from '../../libs/contracts/contracts.js';
import { ADOPTION_REJECTION_REASONS, type AdoptionEvent } from '../../libs/domain/adoptions/adoption.events.js';
import type { CheckpointEvent, CountEvent } from '../../libs/domain/checkpoints/checkpoint.events.js';
import type { AdoptionId, CallbackRequestId, ImageId, OrderId, PaymentId, PetId, UserId } from '../../libs/domain/ids.js';
import { CALLBACK_OUTCOMES, ORDER_STATUSES, type OrderEvent } from '../../libs/domain/orders/order.events.js';
import type { PaymentTerms } from '../../libs/domain/payment-terms.js';
import type { PaymentEvent } from '../../libs/domain/payments/payment.events.js';
import { IMAGE_TYPES } from '../../libs/domain/pets/pet-image.js';
import { PET_STATUSES, type PetDetails, type PetEvent } from '../../libs/domain/pets/pet.events.js';
import type { UserEvent } from '../../libs/domain/users/user.events.js';
import { PET_DETAILS_SCHEMA } from '../../libs/contracts/topics/pets.messages.js';
import { recorded } from '../../libs/eventsourcing/testing/recorded.js';
import { arbitraryOf } from './arbitrary.js';
import { forbidAdditional, validationErrors } from './validity.js';

type PublishedEvent =
  PetEvent | OrderEvent | PaymentEvent | AdoptionEvent | Extract<UserEvent, { type: 'UserErased' }> | CheckpointEvent | CountEvent;
type Arbitraries = { readonly [T in PublishedEvent['type']]: fc.Arbitrary<Extract<PublishedEvent, { type: T }>['data']> };

/** A fixed seed makes failures reproducible. */
const RUNS = { seed: 20260102, numRuns: 100 };

const idOf = <T extends string>(): fc.Arbitrary<T> => fc.uuid().map((id) => id as T);
const petId = idOf<PetId>();
const imageId = idOf<ImageId>();
const orderId = idOf<OrderId>();
const adoptionId = idOf<AdoptionId>();
const paymentId = idOf<PaymentId>();
const requestId = idOf<CallbackRequestId>();
const day = fc.constantFrom('2026-01-01', '2028-02-29', '9999-12-31');
const amount = fc.tuple(fc.bigInt(0n, 9_999_999_999n), fc.integer({ min: 10, max: 99 })).map(([whole, cents]) => `${whole}.${cents}`);
const currency = fc.constantFrom('EUR', 'USD', 'JPY');
const quantity = fc.integer({ min: 1, max: 100 });
const status = fc.constantFrom(...PET_STATUSES);
const holder = fc.record({ kind: fc.constant('order' as const), id: orderId });
const details = arbitraryOf<PetDetails>(PET_DETAILS_SCHEMA);
const source = fc.constant<PaymentTerms['source']>({ object: 'bank_account', number: '*****6789' });
const payer = fc.uuid().map((text) => text as UserId);
const terms = { amount, currency, source, payer, reference: fc.string() };
const digest = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('base64url'));

const numberedName = fc.record({ id: fc.nat(), name: fc.string() }, { requiredKeys: [] });
const classic = fc.record({ category: numberedName, tags: fc.array(numberedName) }, { requiredKeys: [] });

const place = fc.record({ position: fc.nat(), id: fc.uuid() });

const ARBITRARY_DATA: Arbitraries = {
  PetListed: fc.record({ details, status, number: fc.nat(), classic }, { requiredKeys: ['details', 'status'] }),
  PetDetailsRevised: fc.record({ details, classic }, { requiredKeys: ['details'] }),
  PetStatusSet: fc.record({ from: status, to: status, reason: fc.string() }),
  PetReserved: fc.record(
    { holder, quantity, userId: fc.string(), shipDate: day, unitPrice: amount, currency, number: fc.nat() },
    { requiredKeys: ['holder', 'quantity'] },
  ),
  PetReleased: fc.record({ holder, from: status, to: status }),
  PetAdopted: fc.record({ holder }),
  PetPhotoAdded: fc.record(
    {
      imageId,
      mediaType: fc.constantFrom(...IMAGE_TYPES),
      width: fc.integer({ min: 1 }),
      height: fc.integer({ min: 1 }),
      bytes: fc.integer({ min: 1 }),
      digest,
      uploader: idOf<UserId>(),
      additionalMetadata: fc.string(),
    },
    { requiredKeys: ['imageId', 'mediaType', 'width', 'height', 'bytes', 'digest'] },
  ),
  PetPhotoRemoved: fc.record({ imageId, digest }),
  PetHeldForAdoption: fc.record(
    { adoptionIds: fc.array(adoptionId, { minLength: 1 }), userId: fc.string() },
    { requiredKeys: ['adoptionIds'] },
  ),
  PetFreedFromAdoption: fc.constant({}),
  PetAdoptedByApplication: fc.record({ adoptionId, otherIds: fc.array(adoptionId) }),
  PetRetired: fc.record({ status }),

  OrderPlaced: fc.record(
    { petId, userId: fc.string(), quantity, shipDate: day, unitPrice: amount, currency, number: fc.nat() },
    { requiredKeys: ['petId', 'quantity'] },
  ),
  OrderPaymentStarted: fc.record({ paymentId, ...terms }),
  OrderPaymentFailed: fc.record({ paymentId, reason: fc.string() }),
  OrderPaymentRefunded: fc.record({ paymentId }),
  OrderApproved: fc.record({ petId, paymentId }),
  OrderShipped: fc.record({ shipDate: day }),
  OrderDelivered: fc.record({ petId }),
  OrderCancelled: fc.record(
    { reason: fc.constantFrom('requested' as const, 'unpaid' as const), petId, paymentId },
    { requiredKeys: ['reason', 'petId'] },
  ),
  OrderRemoved: fc.record({ petId, status: fc.constantFrom(...ORDER_STATUSES) }),
  OrderCallbackRequested: fc.record({ requestId, callbackUrl: fc.webUrl(), amount, currency, timestamp: fc.string() }),
  OrderCallbackEnded: fc.record({ requestId, outcome: fc.constantFrom(...CALLBACK_OUTCOMES) }),

  PaymentRequested: fc.record({ orderId, ...terms }),
  PaymentSucceeded: fc.record({ orderId }),
  PaymentFailed: fc.record({ orderId, reason: fc.string() }),
  PaymentRefunded: fc.record({ orderId }),

  AdoptionSubmitted: fc.record(
    { petId, userId: fc.string(), applicant: fc.record({ name: fc.string(), email: fc.string() }), message: fc.string() },
    { requiredKeys: ['petId'] },
  ),
  AdoptionApprovalStarted: fc.record({ petId }),
  AdoptionApproved: fc.record({ petId }),
  AdoptionRejected: fc.record({ petId, reason: fc.constantFrom(...ADOPTION_REJECTION_REASONS) }),
  AdoptionWithdrawn: fc.record({ petId }),
  AdoptionExpired: fc.record({ petId }),
  AdoptionErased: fc.constant({}),

  UserErased: fc.record({ usernameDigest: fc.string(), emailDigest: fc.string() }),

  CheckpointSigned: fc.record({
    checkpoint: fc.record({
      version: fc.constant('petstore-checkpoint/1' as const),
      store: fc.uuid(),
      index: fc.nat(),
      size: fc.integer({ min: 1 }),
      root: digest,
      time: fc.constant('2026-01-02T03:04:05.678Z'),
      previous: fc.oneof(fc.constant(''), digest),
      tenants: fc.array(digest),
      keyId: digest,
    }),
    signature: fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    state: fc.record({
      last: place,
      subtrees: fc.array(digest),
      tenants: fc.array(fc.record({ tenant: fc.uuid(), count: fc.nat(), hash: digest })),
    }),
  }),
  MessagesCounted: fc.record({
    count: fc.record({
      version: fc.constant('petstore-count/1' as const),
      store: fc.uuid(),
      index: fc.nat(),
      part: fc.integer({ min: 1 }),
      parts: fc.integer({ min: 1 }),
      tenant: fc.oneof(fc.constant('shared'), fc.uuid()),
      day: fc.constant('2026-01-01'),
      topics: fc.array(fc.record({ topic: fc.string(), count: fc.integer({ min: 1 }) })),
      keyId: digest,
    }),
    signature: fc.uint8Array({ minLength: 64, maxLength: 64 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
    state: fc.record({ openDay: fc.constant('2026-01-02'), last: place, from: place }),
  }),
};

const toMessage = publicMessageMapper(contracts);
const declared = contracts.flatMap((contract) =>
  publishedMessages(contract).map(
    ([type, { schema }]) => [type, { category: contract.category, schema: forbidAdditional(schema) }] as const,
  ),
);

/** Proves contract 22.6 for arbitrary data. */
describe('a message', () => {
  it.each(declared)('of any %s is valid under its schema, without additional properties', (type, { category, schema }) => {
    const data: fc.Arbitrary<unknown> = ARBITRARY_DATA[type as PublishedEvent['type']];
    fc.assert(
      fc.property(data, fc.uuid(), (eventData, id) => {
        const [message] = recorded([{ type, data: eventData }], `${category}-${id}`).map(toMessage);
        expect(validationErrors(schema, JSON.parse(message?.data ?? ''))).toEqual([]);
      }),
      RUNS,
    );
  });
});
