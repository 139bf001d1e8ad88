import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { OrderId } from '../../domain/ids.js';
import type { OrderCommand, OrderRejection } from '../../domain/orders/order.decider.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { ORDERS } from '../aggregates.js';
import { handleWithPrecondition } from '../precondition.js';
import type { ResultOf, CommandRejection, RequestContext, View } from '../request.js';
import { AGGREGATES, CLOCK } from '../tokens.js';
import { viewAfter } from '../views.js';

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
    const command = { type: 'DeleteOrder', data: { orderId: id as OrderId } } as const;
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
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ id, request }: ShipOrder): Promise<ResultOf<ShipOrder>> {
    const today = this.clock.now().toISOString().slice(0, 10);
    return executeAndView(this.aggregates, { type: 'ShipOrder', data: { orderId: id as OrderId, today } }, request);
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
  constructor(@Inject(AGGREGATES) private readonly aggregates: Aggregates) {}

  async execute({ id, request }: DeliverOrder): Promise<ResultOf<DeliverOrder>> {
    return executeAndView(this.aggregates, { type: 'DeliverOrder', data: { orderId: id as OrderId } }, request);
  }
}

/** Runs a command on an existing order and returns the order afterwards. */
const executeAndView = async (aggregates: Aggregates, command: OrderCommand, request: RequestContext): Promise<ResultOf<ShipOrder>> => {
  const id = command.data.orderId;
  const outcome = await handleWithPrecondition(aggregates, ORDERS, id, command, request);
  if (isRejection(outcome)) return outcome;
  return viewAfter(ORDERS, id, outcome) ?? rejected('order_not_found');
};

/** The command handlers of orders, for the module. */
export const ORDER_COMMAND_HANDLERS = [DeleteOrderHandler, ShipOrderHandler, DeliverOrderHandler];
