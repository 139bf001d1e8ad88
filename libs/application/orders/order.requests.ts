import { Command, Query } from '@nestjs/cqrs';
import type { OrderRejection } from '../../domain/orders/order.decider.js';
import type { CallbackWish, OrderStatus } from '../../domain/orders/order.events.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import type { Rejection } from '../../eventsourcing/decider.js';
import type { Created, Page, RequestContext, View } from '../request.js';

type Refused<Reason extends string> = Rejection<Reason | 'contended' | 'precondition_failed'>;

export type OrderWish = { readonly petId: string; readonly userId?: string; readonly quantity: number; readonly shipDate?: string };

/** Reserves the pet, then places the order. */
export class CreateOrder extends Command<Created | Refused<OrderRejection | PetRejection | 'idempotency_key_reused'>> {
  constructor(
    readonly wish: OrderWish,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Cancels the order where it still can be, and takes it out of the reads. */
export class DeleteOrder extends Command<null | Refused<OrderRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Moves an approved order on to shipped. */
export class ShipOrder extends Command<View | Refused<OrderRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Moves a shipped order on to delivered. */
export class DeliverOrder extends Command<View | Refused<OrderRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** The callback is on its way; `replayed` when an earlier request with the same Idempotency-Key had asked for it. */
export type CallbackRequested = { readonly requestId: string; readonly replayed: boolean };

/** Requests a callback with the order's status at an address. */
export class RequestCallback extends Command<CallbackRequested | Refused<OrderRejection | 'idempotency_key_reused'>> {
  constructor(
    readonly orderId: string,
    readonly wish: CallbackWish,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** One order, or null. `fields.userId` says whose it is. */
export class GetOrder extends Query<View | null> {
  constructor(
    readonly id: string,
    readonly tenant: string,
  ) {
    super();
  }
}

type OrderFilter = { readonly status?: OrderStatus; readonly petId?: string; readonly userId?: string };

/** A page of orders, newest first. */
export class ListOrders extends Query<Page> {
  constructor(
    readonly filter: OrderFilter,
    readonly page: number,
    readonly limit: number,
    readonly tenant: string,
  ) {
    super();
  }
}
