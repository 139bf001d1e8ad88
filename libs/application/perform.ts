import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type CommandBus, type ICommandHandler } from '@nestjs/cqrs';
import type { PaymentId } from '../domain/ids.js';
import { isRejection, type Rejection } from '../eventsourcing/decider.js';
import type { Aggregates } from '../eventsourcing/handle.js';
import { unreachable, type CommandContext } from '../eventsourcing/message.js';
import type { Execute } from '../eventsourcing/process.js';
import type { PaymentGateway } from '../ports/payment-gateway.port.js';
import type { ProcessCommand } from '../processes/process-command.js';
import { checkRefundable } from '../domain/payments/payment.decider.js';
import type { OrderCommand } from '../domain/orders/order.commands.js';
import type { DeliveryCommand } from '../deliveries/delivery.js';
import { ORDERS, PAYMENTS, PETS, WEBHOOKS } from './aggregates.js';
import { AGGREGATES, PAYMENT_GATEWAY } from './tokens.js';

/** What no request asks for: it follows from an event, from what receivers answer, or from the clock. */
type FollowingCommand = ProcessCommand | DeliveryCommand | Extract<OrderCommand, { type: 'ExpireOrder' }>;

/** Carries out a command that no request asks for; answers null, or why not. */
export class Perform extends Command<null | Rejection> {
  constructor(
    readonly command: FollowingCommand,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Carries such commands out by the bus. */
export const performOn =
  (bus: CommandBus): Execute<FollowingCommand> =>
  (command, context) =>
    bus.execute(new Perform(command, context));

@CommandHandler(Perform)
export class PerformHandler implements ICommandHandler<Perform> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
  ) {}

  async execute({ command, context }: Perform): Promise<null | Rejection> {
    const outcome = await this.route(command, context);
    return outcome && isRejection(outcome) ? outcome : null;
  }

  private route(command: FollowingCommand, context: CommandContext): Promise<object | null> {
    switch (command.type) {
      case 'ReleasePet':
      case 'AdoptPet':
        return this.aggregates.handle(PETS, command.data.petId, command, context);
      case 'PlaceOrder':
      case 'FailOrderPayment':
      case 'ApproveOrder':
      case 'ExpireOrder':
      case 'EndOrderCallback':
        return this.aggregates.handle(ORDERS, command.data.orderId, command, context);
      case 'RequestPayment':
        return this.aggregates.handle(PAYMENTS, command.data.paymentId, command, context);
      case 'DisableWebhook':
        return this.aggregates.handle(WEBHOOKS, command.data.webhookId, command, context);
      case 'ChargePayment':
        return this.charge(command.data, context);
      case 'RefundPayment':
        return this.refund(command.data, context);
      default:
        return unreachable(command);
    }
  }

  /** "a consumer charges the reference": with the payment's id as the gateway's idempotency key, so twice is once. */
  private async charge({ paymentId }: { readonly paymentId: PaymentId }, context: CommandContext): Promise<object | null> {
    const cached = this.aggregates.loadCached(PAYMENTS, paymentId);
    const loaded = cached?.state.status === 'processing' ? cached : await this.aggregates.load(PAYMENTS, paymentId);
    const { state } = loaded;
    if (state.status !== 'processing') return null;
    const outcome = await this.gateway.charge(state.reference, state.amount, state.currency, paymentId);
    return this.aggregates.handle(PAYMENTS, paymentId, { type: 'SettlePayment', data: { paymentId, outcome } }, context, { loaded });
  }

  private async refund({ paymentId }: { readonly paymentId: PaymentId }, context: CommandContext): Promise<object | null> {
    const { state } = await this.aggregates.load(PAYMENTS, paymentId);
    const refused = checkRefundable(state);
    if (refused) return refused;
    await this.gateway.refund(paymentId);
    return this.aggregates.handle(PAYMENTS, paymentId, { type: 'RecordRefund', data: { paymentId } }, context);
  }
}
