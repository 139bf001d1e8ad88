import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderId } from '../../domain/ids.js';
import type { OrderCommand } from '../../domain/orders/order.commands.js';
import type { OrderRejection } from '../../domain/orders/order.decider.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates, EventCodec } from '../../eventsourcing/handle.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { ORDERS } from '../aggregates.js';
import { handleWithPrecondition } from '../precondition.js';
import type { ResultOf, CommandRejection, RequestContext, View } from '../request.js';
import { AGGREGATES, CLOCK, CODEC, EVENT_STORE } from '../tokens.js';
import { viewFromLog } from '../views.js';

/** Cancels the order if it can still be cancelled, and removes it from the read models. Returns null on success. */
export class DeleteOrder extends Command<null | CommandRejection<OrderRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(DeleteOrder)
export class DeleteOrderHandler implements ICommandHandler<DeleteOrder> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: Aggregates) {}

  async execute({ id, request }: DeleteOrder): Promise<ResultOf<DeleteOrder>> {
    const command = { type: 'RemoveOrder', data: { orderId: id as OrderId } } as const;
    const outcome = await handleWithPrecondition(this.aggregates, ORDERS, id, command, request);
    return isRejection(outcome) ? outcome : null;
  }
}

/** Changes the status of an approved order to `shipped`. */
export class ShipOrder extends Command<View | CommandRejection<OrderRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ShipOrder)
export class ShipOrderHandler implements ICommandHandler<ShipOrder> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ id, request }: ShipOrder): Promise<ResultOf<ShipOrder>> {
    const today = this.clock.now().toISOString().slice(0, 10);
    return executeAndView(this, { type: 'ShipOrder', data: { orderId: id as OrderId, today } }, request);
  }
}

/** Changes the status of a shipped order to `delivered`. */
export class DeliverOrder extends Command<View | CommandRejection<OrderRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(DeliverOrder)
export class DeliverOrderHandler implements ICommandHandler<DeliverOrder> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
  ) {}

  async execute({ id, request }: DeliverOrder): Promise<ResultOf<DeliverOrder>> {
    return executeAndView(this, { type: 'DeliverOrder', data: { orderId: id as OrderId } }, request);
  }
}

type Ports = { readonly aggregates: Aggregates; readonly store: EventStore; readonly codec: EventCodec };

/** Runs a command on an existing order and returns the order afterwards. */
const executeAndView = async (ports: Ports, command: OrderCommand, request: RequestContext): Promise<ResultOf<ShipOrder>> => {
  const id = command.data.orderId;
  const outcome = await handleWithPrecondition(ports.aggregates, ORDERS, id, command, request);
  if (isRejection(outcome)) return outcome;
  return (await viewFromLog(ports, ORDERS.projection, id)) ?? rejected('order_not_found');
};

/** The command handlers of orders, for the module. */
export const ORDER_COMMAND_HANDLERS = [DeleteOrderHandler, ShipOrderHandler, DeliverOrderHandler];
