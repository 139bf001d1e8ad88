import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type CommandBus, type ICommandHandler } from '@nestjs/cqrs';
import type { AdoptionCommand } from '../domain/adoptions/adoption.decider.js';
import type { PaymentId } from '../domain/ids.js';
import { isRejection, type Rejection } from '../eventsourcing/decider.js';
import type { Aggregates } from '../eventsourcing/handle.js';
import { unreachable, type CommandContext } from '../eventsourcing/message.js';
import type { Execute } from '../eventsourcing/process.js';
import type { Clock } from '../eventsourcing/ports/clock.port.js';
import type { Documents } from '../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../eventsourcing/ports/key-vault.port.js';
import type { Blobs } from '../ports/blobs.port.js';
import type { PaymentGateway } from '../ports/payment-gateway.port.js';
import type { ProcessCommand } from '../processes/process-command.js';
import { checkRefundable } from '../domain/payments/payment.decider.js';
import type { OrderCommand } from '../domain/orders/order.decider.js';
import type { DeliveryCommand } from '../deliveries/delivery.js';
import { freePetIfEnded, holdPet } from './adoptions/hold-pet.js';
import { forgetApplicant } from './adoptions/open-adoption.js';
import { ADOPTIONS, ORDERS, PAYMENTS, PETS, WEBHOOKS } from './aggregates.js';
import { AGGREGATES, BLOBS, CLOCK, DOCUMENTS, KEY_VAULT, PAYMENT_GATEWAY, REVOCATIONS } from './tokens.js';
import { deleteImage } from './pets/image.handlers.js';
import { endAccountTokens } from './sessions/end-tokens.js';
import type { Revocations } from './sessions/revocations.js';
import { forgetPerson } from './users/forget-person.js';
import { settleUserList, type SettleUserList } from './users/lists/settle-user-list.js';

/** A command that no request sends. Its cause is an event, the response of a receiver, or the clock. */
type InternalCommand =
  | ProcessCommand
  | DeliveryCommand
  | SettleUserList
  | Extract<OrderCommand, { type: 'ExpireOrder' }>
  | Extract<AdoptionCommand, { type: 'ExpireAdoption' }>;

type AccountRepair = Extract<InternalCommand, { type: 'ForgetPerson' | 'EndAccountTokens' | 'SettleUserList' }>;

/** Runs a command that no request sends. Returns null if it was accepted, or the rejection. */
export class Perform extends Command<null | Rejection> {
  constructor(
    readonly command: InternalCommand,
    readonly context: CommandContext,
  ) {
    super();
  }
}

/** Returns a function that runs internal commands on the command bus. */
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
    @Inject(REVOCATIONS) readonly revocations: Revocations,
    @Inject(BLOBS) readonly blobs: Blobs,
  ) {}

  async execute({ command, context }: Perform): Promise<null | Rejection> {
    const outcome = await this.route(command, context);
    return outcome && isRejection(outcome) ? outcome : null;
  }

  private route(command: InternalCommand, context: CommandContext): Promise<object | null> {
    switch (command.type) {
      case 'ReleasePet':
      case 'AdoptPet':
      case 'FreePetFromAdoption':
      case 'AdoptPetByApplication':
        return this.aggregates.handle(PETS, command.data.petId, command, context);
      case 'CreateOrder':
      case 'FailOrderPayment':
      case 'ApproveOrder':
      case 'RecordOrderRefund':
      case 'ExpireOrder':
      case 'EndOrderCallback':
        return this.aggregates.handle(ORDERS, command.data.orderId, command, context);
      case 'HoldPetForAdoption':
        return holdPet(this.aggregates, command.data, context);
      case 'FreePetIfEnded':
        return freePetIfEnded(this.aggregates, command.data, context);
      case 'ApproveAdoption':
      case 'RejectAdoption':
      case 'ExpireAdoption':
        return this.aggregates.handle(ADOPTIONS, command.data.adoptionId, command, context);
      case 'ForgetApplicant':
        return forgetApplicant(this, command.data.adoptionId).then(() => null);
      case 'CreatePayment':
      case 'ChargePayment':
      case 'RefundPayment':
        return this.performOnPayment(command, context);
      case 'DisableWebhook':
        return this.aggregates.handle(WEBHOOKS, command.data.webhookId, command, context);
      case 'DeleteImage':
        return deleteImage(this, command.data).then(() => null);
      case 'ForgetPerson':
      case 'EndAccountTokens':
      case 'SettleUserList':
        return this.repairAccounts(command, context).then(() => null);
      default:
        return unreachable(command);
    }
  }

  private performOnPayment(
    command: Extract<InternalCommand, { type: 'CreatePayment' | 'ChargePayment' | 'RefundPayment' }>,
    context: CommandContext,
  ): Promise<object | null> {
    if (command.type === 'CreatePayment') return this.aggregates.handle(PAYMENTS, command.data.paymentId, command, context);
    return command.type === 'ChargePayment' ? this.charge(command.data, context) : this.refund(command.data, context);
  }

  /** Does what a request may have left undone on accounts. */
  private repairAccounts(command: AccountRepair, context: CommandContext): Promise<void> {
    if (command.type === 'SettleUserList') return settleUserList(this, command.data.listId, context);
    if (command.type === 'ForgetPerson') return forgetPerson(this, command.data, context);
    return endAccountTokens(this, command.data, context);
  }

  /**
   * Charges the card or bank account of a payment (contract 15.9). Returns null if the payment is not processing. An outdated
   * cached state does no harm: the payment's id is the idempotency key, so the gateway never charges a payment twice.
   */
  private async charge({ paymentId }: { readonly paymentId: PaymentId }, context: CommandContext): Promise<object | null> {
    const cached = this.aggregates.loadCached(PAYMENTS, paymentId);
    const loaded = cached?.state.status === 'processing' ? cached : await this.aggregates.load(PAYMENTS, paymentId);
    const { state } = loaded;
    if (state.status !== 'processing') return null;
    const outcome = await this.gateway.charge(state.reference, state.amount, state.currency, paymentId);
    return this.aggregates.handle(PAYMENTS, paymentId, { type: 'SettlePayment', data: { paymentId, outcome } }, context, { loaded });
  }

  /** Refunds a succeeded payment. For any other payment, returns a rejection and does not call the gateway. */
  private async refund({ paymentId }: { readonly paymentId: PaymentId }, context: CommandContext): Promise<object | null> {
    const { state } = await this.aggregates.load(PAYMENTS, paymentId);
    const rejection = checkRefundable(state);
    if (rejection) return rejection;
    await this.gateway.refund(paymentId);
    return this.aggregates.handle(PAYMENTS, paymentId, { type: 'RecordRefund', data: { paymentId } }, context);
  }
}
