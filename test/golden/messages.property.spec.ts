import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { publishedMessages } from '../../libs/contracts/message-contract.js';
import { contracts, publicMessageMapper } from '../../libs/contracts/contracts.js';
import type { CallbackRequestId, OrderId, PaymentId, PetId } from '../../libs/domain/ids.js';
import { CALLBACK_OUTCOMES, ORDER_STATUSES, type OrderEvent } from '../../libs/domain/orders/order.events.js';
import type { PaymentTerms } from '../../libs/domain/payment-terms.js';
import type { PaymentEvent } from '../../libs/domain/payments/payment.events.js';
import { GENDERS, PET_STATUSES, SIZES, SPECIES, type PetDetails, type PetEvent } from '../../libs/domain/pets/pet.events.js';
import type { UserEvent } from '../../libs/domain/users/user.events.js';
import { recorded } from '../../libs/eventsourcing/testing/recorded.js';
import { forbidAdditional, validationErrors } from './validity.js';

type PublishedEvent = PetEvent | OrderEvent | PaymentEvent | Extract<UserEvent, { type: 'UserErased' }>;
type Arbitraries = { readonly [T in PublishedEvent['type']]: fc.Arbitrary<Extract<PublishedEvent, { type: T }>['data']> };

/** A fixed seed makes failures reproducible. */
const RUNS = { seed: 20260102, numRuns: 100 };

const idOf = <T extends string>(): fc.Arbitrary<T> => fc.uuid().map((id) => id as T);
const petId = idOf<PetId>();
const orderId = idOf<OrderId>();
const paymentId = idOf<PaymentId>();
const requestId = idOf<CallbackRequestId>();
const day = fc.constantFrom('2026-01-01', '2028-02-29', '9999-12-31');
const amount = fc.tuple(fc.bigInt(0n, 9_999_999_999n), fc.integer({ min: 10, max: 99 })).map(([whole, cents]) => `${whole}.${cents}`);
const currency = fc.constantFrom('EUR', 'USD', 'JPY');
const quantity = fc.integer({ min: 1, max: 100 });
const status = fc.constantFrom(...PET_STATUSES);
const holder = fc.record({ kind: fc.constant('order' as const), id: orderId });
const details: fc.Arbitrary<PetDetails> = fc.record(
  {
    name: fc.string(),
    species: fc.constantFrom(...SPECIES),
    breed: fc.string({ unit: 'binary' }),
    ageMonths: fc.nat(),
    size: fc.constantFrom(...SIZES),
    color: fc.string(),
    gender: fc.constantFrom(...GENDERS),
    goodWithKids: fc.boolean(),
    price: amount,
    currency,
    description: fc.string({ unit: 'grapheme' }),
    photos: fc.array(fc.webUrl()),
    medicalInfo: fc.record(
      {
        spayedNeutered: fc.boolean(),
        vaccinated: fc.boolean(),
        microchipped: fc.boolean(),
        specialNeeds: fc.boolean(),
        healthNotes: fc.string(),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['name', 'species', 'ageMonths'] },
);
const source = fc.constant<PaymentTerms['source']>({ object: 'bank_account', number: '*****6789' });
const terms = { amount, currency, source, reference: fc.string() };

const ARBITRARY_DATA: Arbitraries = {
  PetListed: fc.record({ details, status }),
  PetDetailsRevised: fc.record({ details }),
  PetStatusSet: fc.record({ from: status, to: status, reason: fc.string() }),
  PetReserved: fc.record(
    { holder, quantity, userId: fc.string(), shipDate: day, unitPrice: amount, currency },
    { requiredKeys: ['holder', 'quantity'] },
  ),
  PetReleased: fc.record({ holder, from: status, to: status }),
  PetAdopted: fc.record({ holder }),
  PetRetired: fc.record({ status }),

  OrderPlaced: fc.record(
    { petId, userId: fc.string(), quantity, shipDate: day, unitPrice: amount, currency },
    { requiredKeys: ['petId', 'quantity'] },
  ),
  OrderPaymentStarted: fc.record({ paymentId, ...terms }),
  OrderPaymentFailed: fc.record({ paymentId, reason: fc.string() }),
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

  UserErased: fc.record({ usernameDigest: fc.string(), emailDigest: fc.string() }),
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
