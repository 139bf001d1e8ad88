import { describe, expect, it } from '@jest/globals';
import * as order from '../../domain/orders/order.fixtures.js';
import type { AdoptionId } from '../../domain/ids.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { Message } from '../../eventsourcing/message.js';
import type { Aggregate, TenantScoped } from '../../eventsourcing/streams/aggregate.js';
import { recorded, type GivenEvent } from '../../eventsourcing/testing/recorded.js';
import {
  holdersOf,
  orderOfPayment,
  stuckApplication,
  stuckOrder,
  stuckPaymentOfBrokenOrder,
  stuckReservation,
  type Stuck,
  type StuckPorts,
} from './stuck.js';

const { orderId, petId, paymentId, otherPaymentId, terms } = order;
const adoptionId = 'adoption-1' as AdoptionId;
const MINUTE = 60_000;
const HOLDS = { order: 30 * MINUTE, adoption: 45 * MINUTE };
/** The time of a minute of the test, which ends at minute 60. */
const minute = (nth: number): string => new Date(Date.parse('2026-01-02T03:00:00.000Z') + nth * MINUTE).toISOString();
const NOW = new Date(minute(60));

/** Event data by the minutes of the events. */
type Stream = Readonly<Record<number, Message>> | 'broken';
type Streams = { readonly order?: Stream; readonly payment?: Stream; readonly pet?: Stream; readonly adoption?: Stream };

const NAMES: ReadonlyMap<string, keyof Streams> = new Map([
  [`order-${orderId}`, 'order'],
  [`payment-${paymentId}`, 'payment'],
  [`pet-${petId}`, 'pet'],
  [`adoption-${adoptionId}`, 'adoption'],
]);

const portsOf = (streams: Streams): StuckPorts => {
  const eventsOf = (stream: string) => {
    const name = NAMES.get(stream);
    const events = name && streams[name];
    if (events === 'broken') throw new BrokenHistory({ stream, kind: 'altered', reason: 'altered' } as never);
    const given = Object.entries(events ?? {}).map(([nth, event]): GivenEvent => ({ ...event, meta: { time: minute(Number(nth)) } }));
    return recorded(given, stream);
  };
  const load = async <S extends TenantScoped>({ category, decider }: Aggregate<S, never, Message, string>, id: string) => ({
    state: eventsOf(`${category}-${id}`).reduce((state, event) => decider.evolve(state, event, event.meta), decider.initial),
  });
  return {
    aggregates: { load: load as unknown as Aggregates['load'] },
    store: {
      readStream: async (stream) =>
        eventsOf(stream).map(({ id, position, type, data, meta }) => ({
          ...{ id, stream, revision: meta.revision, position, type },
          data: JSON.stringify(data),
          metadata: JSON.stringify({ time: meta.time }),
        })),
    },
  };
};

const requested: Message = { type: 'PaymentRequested', data: { orderId, ...terms } };
const succeeded: Message = { type: 'PaymentSucceeded', data: { orderId } };
const failed: Message = { type: 'PaymentFailed', data: { orderId, reason: 'card_declined' } };
const refunded: Message = { type: 'PaymentRefunded', data: { orderId } };
const holder = { kind: 'order', id: orderId };
const listed: Message = { type: 'PetListed', data: { details: { name: 'Rex', species: 'DOG', ageMonths: 4 }, status: 'AVAILABLE' } };
const reserved: Message = { type: 'PetReserved', data: { holder, quantity: 1 } };
const reservedByOther: Message = { type: 'PetReserved', data: { holder: { kind: 'order', id: 'order-2' }, quantity: 1 } };
const adopted: Message = { type: 'PetAdopted', data: { holder } };
const released: Message = { type: 'PetReleased', data: { holder, from: 'PENDING', to: 'AVAILABLE' } };
const held: Message = { type: 'PetHeldForAdoption', data: { adoptionIds: [adoptionId] } };
const freed: Message = { type: 'PetFreedFromAdoption', data: {} };
const submitted: Message = { type: 'AdoptionSubmitted', data: { petId } };
const approving: Message = { type: 'AdoptionApprovalStarted', data: { petId } };
const given: Message = { type: 'AdoptionApproved', data: { petId } };
const withdrawn: Message = { type: 'AdoptionWithdrawn', data: { petId } };

/** What is expected of an item: its kind, the minute since when it waits, and the type of the event that it follows from. */
type Expected = readonly [kind: string, since: number, after?: string] | null;

const summaryOf = (stuck: Stuck | null) => stuck && [stuck.kind, stuck.since, stuck.after?.type];
const expectedOf = (expected: Expected) => expected && [expected[0], minute(expected[1]), expected[2]];

const reservedPet = { 0: listed, 1: reserved };
const paid = { 2: order.placed, 3: order.started };
const approvedOrder = { ...paid, 6: order.approved };
const cancelledOrder = { ...paid, 6: order.cancelled(paymentId) };
const releasedPet = { ...reservedPet, 7: released };

describe('an order', () => {
  it.each<[string, Streams, Expected]>([
    ['that was never placed waits for nothing', {}, null],
    ['that is unpaid waits to expire, since the end of its hold', { order: { 29: order.placed } }, ['order-not-expired', 59]],
    ['whose hold ends later waits for nothing', { order: { 31: order.placed } }, null],
    ['waits for its payment to be requested', { order: paid }, ['payment-not-requested', 3, 'OrderPaymentStarted']],
    ['waits for the outcome of its payment', { order: paid, payment: { 4: requested } }, ['payment-processing', 4, 'PaymentRequested']],
    ['waits for a payment that is broken', { order: paid, payment: 'broken' }, ['payment-processing', 3, 'OrderPaymentStarted']],
    [
      'that waits for a failed payment does not know it',
      { order: paid, payment: { 4: requested, 5: failed } },
      ['payment-failure-not-recorded', 5, 'PaymentFailed'],
    ],
    [
      'that is paid waits for its approval',
      { order: paid, payment: { 4: requested, 5: succeeded } },
      ['order-not-approved', 5, 'PaymentSucceeded'],
    ],
    [
      'waits for its second payment only',
      { order: { ...paid, 4: order.paymentFailed, 7: { type: 'OrderPaymentStarted', data: { paymentId: otherPaymentId, ...terms } } } },
      ['payment-not-requested', 7, 'OrderPaymentStarted'],
    ],
    ['that is approved waits for its pet', { order: approvedOrder, pet: reservedPet }, ['pet-not-adopted', 6, 'OrderApproved']],
    ['that is approved waits for a pet that is broken', { order: approvedOrder, pet: 'broken' }, ['pet-not-adopted', 6, 'OrderApproved']],
    ['whose pet is adopted waits for nothing', { order: approvedOrder, pet: { ...reservedPet, 7: adopted } }, null],
    ['whose pet another one has got waits for nothing', { order: approvedOrder, pet: { ...releasedPet, 8: reservedByOther } }, null],
    ['that is shipped waits for nothing', { order: { ...approvedOrder, 8: order.shipped('2026-02-01') }, pet: reservedPet }, null],
    ['that is cancelled still holds its pet', { order: cancelledOrder, pet: reservedPet }, ['pet-not-released', 6, 'OrderCancelled']],
    [
      'that is removed still holds its pet',
      { order: { ...cancelledOrder, 8: order.removed('cancelled') }, pet: reservedPet },
      ['pet-not-released', 6, 'OrderCancelled'],
    ],
    ['that is cancelled unpaid waits for nothing', { order: { 2: order.placed, 6: order.cancelledUnpaid }, pet: releasedPet }, null],
    [
      'that is cancelled waits for the outcome of its payment',
      { order: cancelledOrder, pet: releasedPet, payment: { 4: requested } },
      ['payment-processing', 4, 'PaymentRequested'],
    ],
    [
      'that was cancelled after its payment waits for the refund since then',
      { order: cancelledOrder, pet: releasedPet, payment: { 4: requested, 5: succeeded } },
      ['payment-not-refunded', 6, 'OrderCancelled'],
    ],
    [
      'that was paid after it was cancelled waits for the refund since the payment',
      { order: cancelledOrder, pet: releasedPet, payment: { 4: requested, 9: succeeded } },
      ['payment-not-refunded', 9, 'PaymentSucceeded'],
    ],
    [
      'waits for its refund if its payment is broken, because nobody knows of one',
      { order: cancelledOrder, pet: {}, payment: 'broken' },
      ['payment-not-refunded', 6, 'OrderCancelled'],
    ],
    [
      'waits for its refund also if its pet is broken',
      { order: cancelledOrder, pet: 'broken', payment: { 4: requested, 5: succeeded } },
      ['payment-not-refunded', 6, 'OrderCancelled'],
    ],
    [
      'whose payment is refunded waits for nothing',
      { order: cancelledOrder, pet: releasedPet, payment: { 4: requested, 5: succeeded, 7: refunded } },
      null,
    ],
    ['whose payment has failed needs no refund', { order: cancelledOrder, pet: releasedPet, payment: { 4: requested, 5: failed } }, null],
  ])('%s', async (_, streams, expected) =>
    expect(summaryOf(await stuckOrder(portsOf(streams), orderId, HOLDS, NOW))).toEqual(expectedOf(expected)),
  );

  it('names its streams and the event that it waits after', async () =>
    expect(await stuckOrder(portsOf({ order: paid, payment: { 4: requested, 5: succeeded } }), orderId, HOLDS, NOW)).toEqual({
      kind: 'order-not-approved',
      tenant: 'shared',
      since: minute(5),
      stream: `order-${orderId}`,
      related: [`payment-${paymentId}`],
      after: {
        ...{ id: 'event-1', stream: `payment-${paymentId}`, revision: 1, position: 2 },
        ...{ type: 'PaymentSucceeded', time: minute(5) },
      },
    }));

  it('that is broken is not decided about', async () =>
    expect(stuckOrder(portsOf({ order: 'broken' }), orderId, HOLDS, NOW)).rejects.toThrow(BrokenHistory));
});

describe('an application', () => {
  const heldPet = { 0: listed, 3: held };
  it.each<[string, Streams, Expected]>([
    ['that was never submitted waits for nothing', {}, null],
    ['waits for its hold', { adoption: { 2: submitted }, pet: { 0: listed } }, ['application-without-hold', 2, 'AdoptionSubmitted']],
    ['waits to expire, since the end of its hold', { adoption: { 14: submitted }, pet: heldPet }, ['application-not-expired', 59]],
    ['whose hold ends later waits for nothing', { adoption: { 16: submitted }, pet: heldPet }, null],
    [
      'that is being approved waits for its pet',
      { adoption: { 2: submitted, 4: approving }, pet: heldPet },
      ['approval-without-pet', 4, 'AdoptionApprovalStarted'],
    ],
    ['that is approved waits for nothing', { adoption: { 2: submitted, 4: approving, 6: given }, pet: 'broken' }, null],
    [
      'that has ended still holds its pet',
      { adoption: { 2: submitted, 4: withdrawn }, pet: heldPet },
      ['pet-not-freed', 4, 'AdoptionWithdrawn'],
    ],
    [
      'that has ended and freed its pet waits for nothing',
      { adoption: { 2: submitted, 4: withdrawn }, pet: { ...heldPet, 5: freed } },
      null,
    ],
  ])('%s', async (_, streams, expected) =>
    expect(summaryOf(await stuckApplication(portsOf(streams), adoptionId, HOLDS, NOW))).toEqual(expectedOf(expected)),
  );
});

describe('a reserved pet', () => {
  it('waits for its order to be placed', async () =>
    expect(await stuckReservation(portsOf({ pet: reservedPet }), petId)).toMatchObject({
      kind: 'order-not-placed',
      since: minute(1),
      stream: `pet-${petId}`,
      related: [`order-${orderId}`],
    }));

  it.each<[string, Streams]>([
    ['whose order is placed', { pet: reservedPet, order: { 2: order.placed } }],
    ['that was released', { pet: releasedPet }],
  ])('%s waits for nothing', async (_, streams) => expect(await stuckReservation(portsOf(streams), petId)).toBeNull());

  it('has its order and its applications as holders', async () => {
    const orders = await holdersOf(portsOf({ pet: reservedPet }), petId);
    const adoptions = await holdersOf(portsOf({ pet: { 0: listed, 1: held } }), petId);
    expect([orders, adoptions, await holdersOf(portsOf({}), petId)]).toEqual([
      { orders: [orderId], adoptions: [] },
      { orders: [], adoptions: [adoptionId] },
      { orders: [], adoptions: [] },
    ]);
  });
});

describe('a payment', () => {
  const payment = { 4: requested, 5: succeeded };

  it('has an order once it is requested', async () =>
    expect([await orderOfPayment(portsOf({ payment }), paymentId), await orderOfPayment(portsOf({}), paymentId)]).toEqual([orderId, null]));

  it.each<[string, Streams, Expected]>([
    ['whose order is broken has no approval', { payment, order: 'broken' }, ['order-not-approved', 5, 'PaymentSucceeded']],
    ['whose order can be read is decided by its order', { payment, order: paid }, null],
    ['that is refunded waits for nothing', { payment: { ...payment, 6: refunded }, order: 'broken' }, null],
    ['that was never requested waits for nothing', { order: 'broken' }, null],
  ])('%s', async (_, streams, expected) =>
    expect(summaryOf(await stuckPaymentOfBrokenOrder(portsOf(streams), paymentId))).toEqual(expectedOf(expected)),
  );
});
