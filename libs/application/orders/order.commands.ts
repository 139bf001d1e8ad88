import { dayOf } from '../../eventsourcing/day.js';
import { orderStream, type CallbackRequestId, type OrderId, type PetId } from '../../domain/ids.js';
import type { OrderRejection } from '../../domain/orders/order.decider.js';
import type { CallbackTerms, OrderEvent } from '../../domain/orders/order.events.js';
import type { PetCommand, PetRejection } from '../../domain/pets/pet.decider.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { CommandContext, RecordedEvent } from '../../eventsourcing/message.js';
import { eventOf } from '../../runtime/codec/codec.js';
import { findLastEvent } from '../../runtime/codec/verified-history.js';
import { ORDERS, PETS } from '../aggregates.js';
import type { Ports } from '../command-ports.js';
import { create } from '../creation.js';
import {
  commandContext,
  RequestCommand,
  type CommandRejection,
  type CreationResult,
  type RequestContext,
  type ResultOf,
  type View,
} from '../request.js';

export type NewOrderInput = { readonly petId: string; readonly userId?: string; readonly quantity: number; readonly shipDate?: string };

/** Reserves the pet, then places the order. */
export class CreateOrder extends RequestCommand<
  'CreateOrder',
  CreationResult | CommandRejection<OrderRejection | PetRejection | 'idempotency_key_reused'>
> {
  constructor(
    readonly input: NewOrderInput,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/**
 * Reserves the pet first: of several concurrent requests for a pet, only one can reserve it, and the others place no order.
 * If the service crashes before the order is placed, the domain process pet-reserved-places-order places it (libs/processes).
 */
export const createOrder = (
  ports: Ports<'aggregates' | 'identities' | 'store' | 'codec' | 'numbers'>,
  { input, request }: CreateOrder,
): Promise<ResultOf<CreateOrder>> => {
  const { petId, ...terms } = input;
  return create(ports, {
    operation: 'createOrder',
    request,
    digested: input,
    aggregate: ORDERS,
    missing: 'order_not_found',
    append: async ({ id, bodyDigest }: { readonly id: OrderId; readonly bodyDigest?: string }, context) => {
      const reservation = { petId: petId as PetId, holder: { kind: 'order', id }, ...terms } as const;
      const rejection = await tryReservation(ports, reservation, context);
      if (rejection) return rejection;
      const number = await ports.numbers.next(request.tenant);
      if (typeof number !== 'number') return number;
      const reserve = { type: 'ReservePet', data: { ...reservation, number } } as const;
      const reserved = await ports.aggregates.handle(PETS, petId, reserve, context);
      if (isRejection(reserved)) return reserved;
      const held = reserved.state.reservation;
      if (!held) return rejected('pet_not_found');
      // Uses the recorded reservation, because a concurrent request with the same Idempotency-Key may have made the reservation.
      const { holder: _, reservedDigest, ...recorded } = held;
      const place = { type: 'CreateOrder', data: { orderId: id, petId: petId as PetId, ...recorded } } as const;
      const placed = await ports.aggregates.handle(ORDERS, id, place, commandContext(request, reservedDigest), { isNew: !bodyDigest });
      if (isRejection(placed)) return placed.rejected === 'order_exists' ? rejected('idempotency_key_reused') : placed;
      return { first: placed.events[0], replayed: reserved.events.length === 0 };
    },
  });
};

/**
 * Returns why the pet cannot be reserved, or null. Appends nothing. Checks the pet only if the next step would append a block
 * of numbers. A request for a pet that cannot be ordered must end before that append.
 */
const tryReservation = async (
  { aggregates, numbers }: Ports<'aggregates' | 'numbers'>,
  data: Extract<PetCommand, { type: 'ReservePet' }>['data'],
  context: CommandContext,
): Promise<CommandRejection<PetRejection> | null> => {
  if (numbers.isReserved(context.tenant)) return null;
  // `handle` checks the rules of the pet first. If they permit the reservation, this precondition prevents the append.
  const options = { precondition: () => false };
  const outcome = await aggregates.handle(PETS, data.petId, { type: 'ReservePet', data }, context, options);
  return isRejection(outcome) && outcome.rejected !== 'precondition_failed' ? outcome : null;
};

/** Cancels the order if it can still be cancelled, and removes it from the read models. Returns null on success. */
export class DeleteOrder extends RequestCommand<'DeleteOrder', null | CommandRejection<OrderRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const deleteOrder = ({ id }: DeleteOrder) => ({ type: 'DeleteOrder', data: { orderId: id as OrderId } }) as const;

/** Changes the status of an approved order to `shipped`. */
export class ShipOrder extends RequestCommand<'ShipOrder', View | CommandRejection<OrderRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const shipOrder = ({ id }: ShipOrder, { clock }: Ports<'clock'>) =>
  ({ type: 'ShipOrder', data: { orderId: id as OrderId, today: dayOf(clock.now()) } }) as const;

/** Changes the status of a shipped order to `delivered`. */
export class DeliverOrder extends RequestCommand<'DeliverOrder', View | CommandRejection<OrderRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const deliverOrder = ({ id }: DeliverOrder) => ({ type: 'DeliverOrder', data: { orderId: id as OrderId } }) as const;

/** The accepted callback. `replayed` is true if an earlier request with the same Idempotency-Key requested it. */
export type CallbackRequestResult = { readonly requestId: string; readonly replayed: boolean };

/** Requests a callback with the order's status to a URL. */
export class RequestCallback extends RequestCommand<
  'RequestCallback',
  CallbackRequestResult | CommandRejection<OrderRejection | 'idempotency_key_reused'>
> {
  constructor(
    readonly orderId: string,
    readonly input: CallbackTerms,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type CallbackPorts = Ports<'aggregates' | 'identities' | 'store' | 'codec'>;

/** Records the request in the order's stream. A consumer of the log delivers the callback. */
export const requestCallback = async (
  ports: CallbackPorts,
  { orderId: id, input, request }: RequestCallback,
): Promise<ResultOf<RequestCallback>> => {
  const orderId = id as OrderId;
  const { id: requestId, bodyDigest } = ports.identities.of<CallbackRequestId>('callbackOrder', request, { orderId, ...input });
  const earlier = bodyDigest && (await findRequestEvent(ports, orderId, requestId));
  if (earlier) return earlier.meta.bodyDigest === bodyDigest ? { requestId, replayed: true } : rejected('idempotency_key_reused');
  const command = { type: 'RequestOrderCallback', data: { orderId, requestId, ...input } } as const;
  const outcome = await ports.aggregates.handle(ORDERS, orderId, command, commandContext(request, bodyDigest));
  if (isRejection(outcome)) return outcome;
  if (outcome.events.length > 0) return { requestId, replayed: false };
  // A concurrent request with the same Idempotency-Key was recorded first. Its body must be the same.
  const concurrent = await findRequestEvent(ports, orderId, requestId);
  return concurrent?.meta.bodyDigest === bodyDigest ? { requestId, replayed: true } : rejected('idempotency_key_reused');
};

/** Returns the recorded event of a callback request, if it exists. */
const findRequestEvent = async (ports: CallbackPorts, orderId: OrderId, requestId: CallbackRequestId): Promise<RecordedEvent | null> => {
  const { state, end } = await ports.aggregates.load(ORDERS, orderId);
  if (state.status === 'unplaced' || !state.terms.callbacks.requested.includes(requestId)) return null;
  return findLastEvent(ports, orderStream(orderId), end.revision, (recorded) => {
    const { type, data } = eventOf<OrderEvent>(recorded);
    return type === 'OrderCallbackRequested' && data.requestId === requestId;
  });
};
