import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { petStream, type PetId } from '../../domain/ids.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import type { ClassicDetails, PetDetails, PetStatus } from '../../domain/pets/pet.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { PETS } from '../aggregates.js';
import { createdView, readFirstEvent } from '../creation.js';
import type { Identities } from '../identities.js';
import { Numbers } from '../numbers/numbers.js';
import { handleWithPrecondition } from '../precondition.js';
import { commandContext, type ResultOf, type CreationResult, type CommandRejection, type RequestContext, type View } from '../request.js';
import { AGGREGATES, CODEC, EVENT_STORE, IDENTITIES } from '../tokens.js';
import { viewAfter } from '../views.js';

/** Lists a new pet. */
export class CreatePet extends Command<CreationResult | CommandRejection<PetRejection | 'idempotency_key_reused'>> {
  constructor(
    readonly details: PetDetails,
    readonly status: PetStatus,
    readonly request: RequestContext,
    readonly classic?: ClassicDetails,
  ) {
    super();
  }
}

@CommandHandler(CreatePet)
export class CreatePetHandler implements ICommandHandler<CreatePet> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    @Inject(Numbers) private readonly numbers: Numbers,
  ) {}

  /** Appends without reading the stream. If the stream exists, reads its first event: the request may be a replay. */
  async execute({ details, status, request, classic }: CreatePet): Promise<ResultOf<CreatePet>> {
    const { id, bodyDigest } = this.identities.of<PetId>('createPet', request, { details, status, ...(classic && { classic }) });
    const context = commandContext(request, bodyDigest);
    const number = await this.numbers.next(request.tenant);
    if (typeof number !== 'number') return number;
    const command = { type: 'CreatePet', data: { petId: id, details, status, number, ...(classic && { classic }) } } as const;
    const outcome = await this.aggregates.handle(PETS, id, command, context, { isNew: true });
    if (isRejection(outcome) && outcome.rejected !== 'pet_exists') return outcome;
    const listed = isRejection(outcome) ? undefined : outcome.events[0];
    const first = listed ?? (await readFirstEvent(this.store, this.codec, petStream(id)));
    return first ? createdView(PETS.projection, first, { bodyDigest, replayed: !listed }) : rejected('pet_not_found');
  }
}

/** Replaces a pet's details. Omitted fields are cleared. */
export class UpdatePet extends Command<View | CommandRejection<PetRejection>> {
  constructor(
    readonly id: string,
    readonly details: PetDetails,
    readonly status: PetStatus,
    readonly request: RequestContext,
    /** If absent, the members of the classic variant stay as they are (contract 39.4). */
    readonly classic?: ClassicDetails,
  ) {
    super();
  }
}

@CommandHandler(UpdatePet)
export class UpdatePetHandler implements ICommandHandler<UpdatePet> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: Aggregates) {}

  async execute({ id, details, status, request, classic }: UpdatePet): Promise<ResultOf<UpdatePet>> {
    const command = { type: 'UpdatePet', data: { petId: id as PetId, details, status, ...(classic && { classic }) } } as const;
    const outcome = await handleWithPrecondition(this.aggregates, PETS, id, command, request);
    if (isRejection(outcome)) return outcome;
    return viewAfter(PETS, id, outcome) ?? rejected('pet_not_found');
  }
}

/** Removes a pet from the catalogue. Returns null on success. */
export class DeletePet extends Command<null | CommandRejection<PetRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(DeletePet)
export class DeletePetHandler implements ICommandHandler<DeletePet> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: Aggregates) {}

  async execute({ id, request }: DeletePet): Promise<ResultOf<DeletePet>> {
    const command = { type: 'DeletePet', data: { petId: id as PetId } } as const;
    const outcome = await handleWithPrecondition(this.aggregates, PETS, id, command, request);
    return isRejection(outcome) ? outcome : null;
  }
}

/** The command handlers of pets, for the module. */
export const PET_COMMAND_HANDLERS = [CreatePetHandler, UpdatePetHandler, DeletePetHandler];
