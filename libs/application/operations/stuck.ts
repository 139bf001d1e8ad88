import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { orderStream, paymentStream, petStream, type AdoptionId, type OrderId, type PaymentId, type PetId } from '../../domain/ids.js';
import type { PetState } from '../../domain/pets/pet.decider.js';
import { recordedTimeOf } from '../../runtime/codec/monotonic-clock.js';
import { ADOPTIONS, ORDERS, PAYMENTS, PETS } from '../aggregates.js';

/** What should have happened and has not (contract 43.9). */
export const STUCK_KINDS = [
  'order-not-placed',
  'payment-not-requested',
  'payment-processing',
  'payment-failure-not-recorded',
  'order-not-approved',
  'pet-not-adopted',
  'order-not-expired',
  'pet-not-released',
  'payment-not-refunded',
  'application-without-hold',
  'application-not-expired',
  'approval-without-pet',
  'pet-not-freed',
  'delivery-overdue',
  'delivery-given-up',
  'claim-not-lapsed',
  'users-not-settled',
] as const;
export type StuckKind = (typeof STUCK_KINDS)[number];

/** An event from which a missing step follows. `time`: ISO 8601. */
export type Step = Pick<StoredEvent, 'id' | 'stream' | 'revision' | 'position' | 'type'> & { readonly time: string };

/** Something that should have happened and has not, as its streams tell it. */
export type Stuck = {
  readonly kind: StuckKind;
  readonly tenant: string;
  /** Since when it should have happened: ISO 8601. */
  readonly since: string;
  /** The stream of what waits. */
  readonly stream: string;
  /** The other streams that it needs. */
  readonly related: readonly string[];
  /** The event from which the missing step follows. Absent if it follows from a time. */
  readonly after?: Step;
};

/** How long unpaid orders and open applications hold their pets, in milliseconds. */
export abstract class Holds {
  abstract readonly order: number;
  abstract readonly adoption: number;
}

/** What the rules read. `load` rejects with BrokenHistory for an altered or unreadable stream. */
export type StuckPorts = {
  readonly aggregates: Pick<Aggregates, 'load'>;
  readonly store: Pick<EventStore, 'readStream'>;
};

const stepsOf = async ({ store }: StuckPorts, stream: string): Promise<readonly Step[]> =>
  (await store.readStream(stream)).map((event) => {
    const { id, revision, position, type } = event;
    return { id, stream, revision, position, type, time: recordedTimeOf(event)?.toISOString() ?? '' };
  });

/** Returns the last event of these types. */
const lastOf = (steps: readonly Step[], ...types: readonly string[]): Step | undefined =>
  steps.findLast(({ type }) => types.includes(type));

/** Returns whether an order holds a pet. */
const isHeldBy = (pet: PetState, orderId: OrderId): boolean => pet.kind === 'listed' && pet.reservation?.holder.id === orderId;

/** Returns what follows from an event and is missing. Null without the event. */
const stuckAfter = (of: Pick<Stuck, 'tenant' | 'stream' | 'related'>, kind: StuckKind, after: Step | undefined): Stuck | null =>
  after ? { kind, tenant: of.tenant, since: after.time, stream: of.stream, related: of.related, after } : null;

/** Returns what an order waits for now. The age of it is not considered. */
export const stuckOrder = async (ports: StuckPorts, orderId: OrderId, holds: Holds, now: Date): Promise<Stuck | null> => {
  const { state: order } = await ports.aggregates.load(ORDERS, orderId);
  if (order.status === 'unplaced') return null;
  const { tenant, terms } = order;
  const steps = await stepsOf(ports, orderStream(orderId));
  const waiting = { tenant, stream: orderStream(orderId), related: [petStream(terms.petId)] };
  switch (order.status) {
    case 'placed': {
      if (order.openPayment !== null) return stuckPayment(ports, orderId, order.openPayment, lastOf(steps, 'OrderPaymentStarted'), tenant);
      const due = new Date(Date.parse(terms.placedAt) + holds.order);
      return due > now ? null : { kind: 'order-not-expired', since: due.toISOString(), ...waiting };
    }
    case 'approved': {
      // What became of a broken pet is unknown, so the order waits for it.
      const state = (await ports.aggregates.load(PETS, terms.petId).catch(nullIfBroken))?.state;
      const isAdopted = state && (!isHeldBy(state, orderId) || (state.kind === 'listed' && state.status !== 'PENDING'));
      return isAdopted ? null : stuckAfter(waiting, 'pet-not-adopted', lastOf(steps, 'OrderApproved'));
    }
    case 'cancelled':
    case 'removed': {
      const cancelled = lastOf(steps, 'OrderCancelled');
      if (!cancelled) return null;
      // A broken pet must not hide a missing refund.
      const state = (await ports.aggregates.load(PETS, terms.petId).catch(nullIfBroken))?.state;
      if (state && isHeldBy(state, orderId)) return stuckAfter(waiting, 'pet-not-released', cancelled);
      const paymentId = terms.payments.at(-1);
      return paymentId === undefined ? null : stuckRefund(ports, orderId, paymentId, cancelled, tenant);
    }
    default:
      return null;
  }
};

/** Returns what the open payment of a placed order waits for. */
const stuckPayment = async (
  ports: StuckPorts,
  orderId: OrderId,
  paymentId: PaymentId,
  started: Step | undefined,
  tenant: string,
): Promise<Stuck | null> => {
  const stream = paymentStream(paymentId);
  const stuck = (kind: StuckKind, after: Step | undefined): Stuck | null =>
    stuckAfter({ tenant, stream: orderStream(orderId), related: [stream] }, kind, after);
  // What a broken payment has come to is unknown, so the order waits for it.
  const payment = await ports.aggregates.load(PAYMENTS, paymentId).catch(nullIfBroken);
  if (!payment) return stuck('payment-processing', started);
  const steps = await stepsOf(ports, stream);
  switch (payment.state.status) {
    case 'unrequested':
      return stuck('payment-not-requested', started);
    case 'processing':
      return stuck('payment-processing', lastOf(steps, 'PaymentRequested'));
    case 'failed':
      return stuck('payment-failure-not-recorded', lastOf(steps, 'PaymentFailed'));
    default:
      return stuck('order-not-approved', lastOf(steps, 'PaymentSucceeded'));
  }
};

/** Returns what the last payment of a cancelled order waits for: its outcome, or its refund. */
const stuckRefund = async (
  ports: StuckPorts,
  orderId: OrderId,
  paymentId: PaymentId,
  cancelled: Step,
  tenant: string,
): Promise<Stuck | null> => {
  const stream = paymentStream(paymentId);
  const payment = await ports.aggregates.load(PAYMENTS, paymentId).catch(nullIfBroken);
  const stuck = (kind: StuckKind, after: Step | undefined): Stuck | null =>
    stuckAfter({ tenant, stream: orderStream(orderId), related: [stream] }, kind, after);
  // What a broken payment has come to is unknown, so its refund may be missing.
  if (!payment) return stuck('payment-not-refunded', cancelled);
  const { state } = payment;
  if (state.status !== 'processing' && state.status !== 'succeeded') return null;
  const last = lastOf(await stepsOf(ports, stream), 'PaymentRequested', 'PaymentSucceeded');
  if (state.status === 'processing') return stuck('payment-processing', last);
  // The refund follows from whichever came later.
  return stuck('payment-not-refunded', last && cancelled.time > last.time ? cancelled : last);
};

/** Returns null for a broken stream, and throws any other error. */
export const nullIfBroken = (error: unknown): null => {
  if (error instanceof BrokenHistory) return null;
  throw error;
};

/** Returns what an application waits for now. */
export const stuckApplication = async (ports: StuckPorts, adoptionId: AdoptionId, holds: Holds, now: Date): Promise<Stuck | null> => {
  const { state: adoption } = await ports.aggregates.load(ADOPTIONS, adoptionId);
  if (adoption.status === 'unsubmitted') return null;
  const { tenant, petId } = adoption;
  const waiting = { tenant, stream: `adoption-${adoptionId}`, related: [petStream(petId)] };
  // Most of what is looked at is not stuck: its events are read only if it is.
  const stuck = async (kind: StuckKind, ...types: readonly string[]): Promise<Stuck | null> =>
    stuckAfter(waiting, kind, lastOf(await stepsOf(ports, waiting.stream), ...types));
  if (adoption.status === 'approved') return null;
  const { state: pet } = await ports.aggregates.load(PETS, petId);
  const isHolding = pet.kind === 'listed' && pet.applications.open.includes(adoptionId);
  if (adoption.status !== 'submitted')
    return isHolding ? stuck('pet-not-freed', 'AdoptionRejected', 'AdoptionWithdrawn', 'AdoptionExpired') : null;
  if (adoption.isApproving) return stuck('approval-without-pet', 'AdoptionApprovalStarted');
  if (!isHolding) return stuck('application-without-hold', 'AdoptionSubmitted');
  const due = new Date(Date.parse(adoption.submittedAt) + holds.adoption);
  return due > now ? null : { kind: 'application-not-expired', since: due.toISOString(), ...waiting };
};

/** Returns what waits for the order of a pet that is reserved for an order which was never placed. */
export const stuckReservation = async (ports: StuckPorts, petId: PetId): Promise<Stuck | null> => {
  const { state: pet } = await ports.aggregates.load(PETS, petId);
  if (pet.kind !== 'listed' || pet.reservation === null) return null;
  const orderId = pet.reservation.holder.id;
  const { state: order } = await ports.aggregates.load(ORDERS, orderId);
  if (order.status !== 'unplaced') return null;
  const waiting = { tenant: pet.tenant, stream: petStream(petId), related: [orderStream(orderId)] };
  return stuckAfter(waiting, 'order-not-placed', lastOf(await stepsOf(ports, waiting.stream), 'PetReserved'));
};

/** Returns the orders and applications that hold a pet. */
export const holdersOf = async (
  ports: StuckPorts,
  petId: PetId,
): Promise<{ orders: readonly OrderId[]; adoptions: readonly AdoptionId[] }> => {
  const { state: pet } = await ports.aggregates.load(PETS, petId);
  if (pet.kind !== 'listed') return { orders: [], adoptions: [] };
  return {
    orders: pet.reservation ? [pet.reservation.holder.id] : [],
    adoptions: [...pet.applications.open, ...pet.applications.approved],
  };
};

/** Returns the order of a payment, or null if the payment was not requested. */
export const orderOfPayment = async (ports: StuckPorts, paymentId: PaymentId): Promise<OrderId | null> => {
  const { state } = await ports.aggregates.load(PAYMENTS, paymentId);
  return state.status === 'unrequested' ? null : state.orderId;
};

/** Returns what a payment waits for whose order is broken: nobody knows whether the order is approved. */
export const stuckPaymentOfBrokenOrder = async (ports: StuckPorts, paymentId: PaymentId): Promise<Stuck | null> => {
  const { state } = await ports.aggregates.load(PAYMENTS, paymentId);
  if (state.status === 'unrequested' || state.status === 'refunded') return null;
  if (await ports.aggregates.load(ORDERS, state.orderId).catch(nullIfBroken)) return null;
  return stuckPayment(ports, state.orderId, paymentId, undefined, state.tenant);
};
