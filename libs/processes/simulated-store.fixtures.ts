import { adoptionDecider, type AdoptionCommand, type AdoptionState } from '../domain/adoptions/adoption.decider.js';
import type { DomainEvent } from '../domain/events.js';
import type { AdoptionId, OrderId, PaymentId, PetId } from '../domain/ids.js';
import { orderDecider, type OrderCommand, type OrderState } from '../domain/orders/order.decider.js';
import { paymentDecider, checkRefundable, type PaymentCommand, type PaymentState } from '../domain/payments/payment.decider.js';
import { petDecider, type PetCommand, type PetState } from '../domain/pets/pet.decider.js';
import { isRejection, type Decider, type Rejection } from '../eventsourcing/decider.js';
import type { Message } from '../eventsourcing/message.js';
import type { FollowUp } from '../eventsourcing/process.js';
import { followUps } from '../eventsourcing/testing/process-specification.js';
import { recorded } from '../eventsourcing/testing/recorded.js';
import type { ProcessCommand } from './process-command.js';
import { processes } from './processes.js';

/** The commands that domain processes, requests and timers send. */
export type AnyCommand = PetCommand | OrderCommand | PaymentCommand | AdoptionCommand | ProcessCommand;

/** The kind of aggregate that decides each command. */
const KIND_OF = {
  CreatePet: 'pet',
  UpdatePet: 'pet',
  DeletePet: 'pet',
  AddPetPhoto: 'pet',
  RemovePetPhoto: 'pet',
  ReservePet: 'pet',
  ReleasePet: 'pet',
  AdoptPet: 'pet',
  HoldPetForAdoption: 'pet',
  FreePetFromAdoption: 'pet',
  AdoptPetByApplication: 'pet',
  CreateOrder: 'order',
  StartOrderPayment: 'order',
  FailOrderPayment: 'order',
  RecordOrderRefund: 'order',
  ApproveOrder: 'order',
  ShipOrder: 'order',
  DeliverOrder: 'order',
  DeleteOrder: 'order',
  ExpireOrder: 'order',
  RequestOrderCallback: 'order',
  EndOrderCallback: 'order',
  CreatePayment: 'payment',
  SettlePayment: 'payment',
  RecordRefund: 'payment',
  CreateAdoption: 'adoption',
  StartAdoptionApproval: 'adoption',
  ApproveAdoption: 'adoption',
  RejectAdoption: 'adoption',
  WithdrawAdoption: 'adoption',
  ExpireAdoption: 'adoption',
  DeleteAdoption: 'adoption',
} as const satisfies Record<(PetCommand | OrderCommand | PaymentCommand | AdoptionCommand)['type'], string>;

/** Simulates in memory the streams, their unhandled messages, and a gateway that counts charges. */
export class SimulatedStore {
  private readonly streams = new Map<string, DomainEvent[]>();
  private readonly handled = new Map<string, number>();
  readonly charges = new Map<PaymentId, number>();
  readonly refunds = new Set<PaymentId>();

  constructor(
    pets: readonly PetId[],
    private readonly declines: ReadonlySet<PaymentId>,
  ) {
    for (const petId of pets) {
      const details = { name: 'Rex', species: 'DOG', ageMonths: 24, price: '45.00', currency: 'EUR' } as const;
      this.perform({ type: 'CreatePet', data: { petId, details, status: 'AVAILABLE', number: 1 } });
    }
  }

  pet = (id: PetId): PetState => this.fold(petDecider, `pet-${id}`);
  order = (id: OrderId): OrderState => this.fold(orderDecider, `order-${id}`);
  adoption = (id: AdoptionId): AdoptionState => this.fold(adoptionDecider, `adoption-${id}`);
  payment = (id: PaymentId): PaymentState => this.fold(paymentDecider, `payment-${id}`);

  perform(command: AnyCommand): Rejection | null {
    if (command.type === 'ChargePayment') return this.charge(command.data.paymentId);
    if (command.type === 'RefundPayment') return this.refund(command.data.paymentId);
    if (command.type === 'ForgetApplicant') return null;
    if (command.type === 'FreePetIfEnded')
      return this.adoption(command.data.adoptionId).status === 'submitted'
        ? null
        : this.perform({ type: 'FreePetFromAdoption', data: command.data });
    // An application that has ended does not hold its pet (libs/application/adoptions/hold-pet.ts).
    if (command.type === 'HoldPetForAdoption' && this.adoption(command.data.adoptionId).status !== 'submitted') return null;
    const { petId, orderId, paymentId, adoptionId } = command.data as Readonly<Record<string, string>>;
    switch (KIND_OF[command.type as keyof typeof KIND_OF]) {
      case 'pet':
        return this.handle(petDecider, `pet-${petId}`, command);
      case 'order':
        return this.handle(orderDecider, `order-${orderId}`, command);
      case 'payment':
        return this.handle(paymentDecider, `payment-${paymentId}`, command);
      case 'adoption':
        return this.handle(adoptionDecider, `adoption-${adoptionId}`, command);
      default:
        throw new Error(`${command.type} is not simulated`);
    }
  }

  /**
   * Handles the next message of the stream. Returns false if there is none. If the message causes more than `limit` commands, the
   * process crashes after `limit` of them, and the message is delivered again.
   */
  deliver(stream: string, limit = Infinity): boolean {
    const next = this.handled.get(stream) ?? 0;
    const event = recorded(this.streams.get(stream) ?? [], stream)[next];
    if (!event) return false;
    const commands = processes.flatMap((process) => followUps(process, event));
    for (const command of commands.slice(0, limit)) this.carryOut(command);
    if (limit >= commands.length) this.handled.set(stream, next + 1);
    return true;
  }

  /** Delivers the last handled message again. */
  deliverAgain(stream: string): void {
    const next = this.handled.get(stream) ?? 0;
    if (next > 0) this.handled.set(stream, next - 1);
    this.deliver(stream);
  }

  /** Delivers messages until none is left. */
  deliverAll(): void {
    while ([...this.streams.keys()].some((stream) => this.deliver(stream)));
  }

  private carryOut({ otherwise, ...command }: FollowUp<AnyCommand>): void {
    if (this.perform(command) && otherwise) this.carryOut(otherwise);
  }

  private charge(paymentId: PaymentId): Rejection | null {
    if (this.payment(paymentId).status !== 'processing') return null;
    this.charges.set(paymentId, (this.charges.get(paymentId) ?? 0) + 1);
    const outcome = this.declines.has(paymentId)
      ? ({ status: 'failed', reason: 'card_declined' } as const)
      : ({ status: 'succeeded' } as const);
    return this.perform({ type: 'SettlePayment', data: { paymentId, outcome } });
  }

  private refund(paymentId: PaymentId): Rejection | null {
    const rejection = checkRefundable(this.payment(paymentId));
    if (rejection) return rejection;
    this.refunds.add(paymentId);
    return this.perform({ type: 'RecordRefund', data: { paymentId } });
  }

  private handle<S, C extends Message, E extends Message>(
    decider: Decider<S, C, E, string>,
    stream: string,
    command: AnyCommand,
  ): Rejection | null {
    const decision = decider.decide(command as unknown as C, this.fold(decider, stream));
    if (isRejection(decision)) return decision;
    this.streams.set(stream, [...(this.streams.get(stream) ?? []), ...(decision as unknown as readonly DomainEvent[])]);
    return null;
  }

  private fold<S, C extends Message, E extends Message>({ initial, evolve }: Decider<S, C, E, string>, stream: string): S {
    const events = recorded(this.streams.get(stream) ?? [], stream);
    return events.reduce((state, event) => evolve(state, event as unknown as E, event.meta), initial);
  }
}
