import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { orderStream, type OrderId, type PetId } from '../../domain/ids.js';
import type { OrderRejection } from '../../domain/orders/order.decider.js';
import type { PetCommand, PetRejection } from '../../domain/pets/pet.decider.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import type { CommandContext, RecordedEvent } from '../../eventsourcing/message.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { ORDERS, PETS } from '../aggregates.js';
import { createdView, readFirstEvent } from '../creation.js';
import type { Identities } from '../identities.js';
import { Numbers } from '../numbers/numbers.js';
import { commandContext, type ResultOf, type CreationResult, type CommandRejection, type RequestContext } from '../request.js';
import { AGGREGATES, CODEC, EVENT_STORE, IDENTITIES } from '../tokens.js';

export type NewOrderInput = { readonly petId: string; readonly userId?: string; readonly quantity: number; readonly shipDate?: string };

/** Reserves the pet, then places the order. */
export class CreateOrder extends Command<CreationResult | CommandRejection<OrderRejection | PetRejection | 'idempotency_key_reused'>> {
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
@CommandHandler(CreateOrder)
export class CreateOrderHandler implements ICommandHandler<CreateOrder> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    @Inject(Numbers) private readonly numbers: Numbers,
  ) {}

  async execute({ input, request }: CreateOrder): Promise<ResultOf<CreateOrder>> {
    const { id, bodyDigest } = this.identities.of<OrderId>('createOrder', request, input);
    const earlier = bodyDigest && (await this.readOrderPlaced(id));
    if (earlier) return createdView(ORDERS.projection, earlier, { bodyDigest, replayed: true });
    const { petId, ...terms } = input;
    const holder = { kind: 'order', id } as const;
    const context = commandContext(request, bodyDigest);
    const reservation = { petId: petId as PetId, holder, ...terms };
    const rejection = await this.tryReservation(reservation, context);
    if (rejection) return rejection;
    const number = await this.numbers.next(request.tenant);
    if (typeof number !== 'number') return number;
    const reserve = { type: 'ReservePet', data: { ...reservation, number } } as const;
    const reserved = await this.aggregates.handle(PETS, petId, reserve, context);
    if (isRejection(reserved)) return reserved;
    const held = reserved.state.reservation;
    if (!held) return rejected('pet_not_found');
    // Uses the recorded reservation, because a concurrent request with the same Idempotency-Key may have made the reservation.
    const { holder: _, reservedDigest, ...recorded } = held;
    const place = { type: 'CreateOrder', data: { orderId: id, petId: petId as PetId, ...recorded } } as const;
    const placed = await this.aggregates.handle(ORDERS, id, place, commandContext(request, reservedDigest), { isNew: !bodyDigest });
    if (isRejection(placed)) return placed.rejected === 'order_exists' ? rejected('idempotency_key_reused') : placed;
    const first = placed.events[0] ?? (await this.readOrderPlaced(id));
    if (!first) return rejected('order_not_found');
    return createdView(ORDERS.projection, first, { bodyDigest, replayed: reserved.events.length === 0 });
  }

  /**
   * Returns why the pet cannot be reserved, or null. Appends nothing. Checks the pet only if the next step would append a block
   * of numbers. A request for a pet that cannot be ordered must end before that append.
   */
  private async tryReservation(
    data: Extract<PetCommand, { type: 'ReservePet' }>['data'],
    context: CommandContext,
  ): Promise<CommandRejection<PetRejection> | null> {
    if (this.numbers.isReserved(context.tenant)) return null;
    // `handle` checks the rules of the pet first. If they permit the reservation, this precondition prevents the append.
    const options = { precondition: () => false };
    const outcome = await this.aggregates.handle(PETS, data.petId, { type: 'ReservePet', data }, context, options);
    return isRejection(outcome) && outcome.rejected !== 'precondition_failed' ? outcome : null;
  }

  /** Returns the first event of the order, if it exists. */
  private readOrderPlaced(id: OrderId): Promise<RecordedEvent | null> {
    return readFirstEvent(this.store, this.codec, orderStream(id));
  }
}
