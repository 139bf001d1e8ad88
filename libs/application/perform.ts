import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type CommandBus, type ICommandHandler } from '@nestjs/cqrs';
import type { PaymentId } from '../domain/ids.js';
import { isRejection, type Rejection } from '../eventsourcing/decider.js';
import type { Aggregates } from '../eventsourcing/handle.js';
import { unreachable, type CommandContext } from '../eventsourcing/message.js';
import type { Execute } from '../eventsourcing/process.js';
import type { Clock } from '../eventsourcing/ports/clock.port.js';
import type { Documents } from '../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../eventsourcing/ports/key-vault.port.js';
import type { PaymentGateway } from '../ports/payment-gateway.port.js';
import type { ProcessCommand } from '../processes/process-command.js';
import { checkRefundable } from '../domain/payments/payment.decider.js';
import type { OrderCommand } from '../domain/orders/order.commands.js';
import type { DeliveryCommand } from '../deliveries/delivery.js';
import { ORDERS, PAYMENTS, PETS, WEBHOOKS } from './aggregates.js';
import { AGGREGATES, CLOCK, DOCUMENTS, KEY_VAULT, PAYMENT_GATEWAY } from './tokens.js';
import { forgetPerson } from './users/forget-person.js';

/** A command that no request sends. Its cause is an event, the response of a receiver, or the clock. */
type InternalCommand = ProcessCommand | DeliveryCommand | Extract<OrderCommand, { type: 'ExpireOrder' }>;

/** Runs a command that no request sends. Returns null if it was accepted, or the rejection. */
export class Perform extends Command<null | Rejection> {
  constructor(
    readonly command: InternalCommand,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Returns a function that runs commands on the bus. */
export const performWith =
  (bus: CommandBus): Execute<InternalCommand> =>
  (command, context) =>
    bus.execute(new Perform(command, context));

@CommandHandler(Perform)
export class PerformHandler implements ICommandHandler<Perform> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(PAYMENT_GATEWAY) private readonly gateway: PaymentGateway,
    @Inject(KEY_VAULT) readonly keys: KeyVault,
    @Inject(DOCUMENTS) readonly documents: Documents,
    @Inject(CLOCK) readonly clock: Clock,
  ) {}

  async execute({ command, context }: Perform): Promise<null | Rejection> {
    const outcome = await this.route(command, context);
    return outcome && isRejection(outcome) ? outcome : null;
  }

  private route(command: InternalCommand, context: CommandContext): Promise<object | null> {
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
      case 'ForgetPerson':
        return forgetPerson(this, command.data, context).then(() => null);
      case 'ChargePayment':
        return this.charge(command.data, context);
      case 'RefundPayment':
        return this.refund(command.data, context);
      default:
        return unreachable(command);
    }
  }

  /**
   * Charges the card or bank account behind the reference (contract 15.9). The payment's id is the gateway's
   * idempotency key, so a repeated call has no effect.
   */
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
    const rejection = checkRefundable(state);
    if (rejection) return rejection;
    await this.gateway.refund(paymentId);
    return this.aggregates.handle(PAYMENTS, paymentId, { type: 'RecordRefund', data: { paymentId } }, context);
  }
}
