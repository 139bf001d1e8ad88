import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { petStream, type PetId } from '../../domain/ids.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import type { PetDetails, PetStatus } from '../../domain/pets/pet.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates, EventCodec } from '../../eventsourcing/handle.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { PETS } from '../aggregates.js';
import { answerFrom, firstEvent } from '../creation.js';
import type { Identities } from '../identities.js';
import { handleOnMatch } from '../precondition.js';
import { commandContext, type AnswerOf, type Created, type Refused, type RequestContext, type View } from '../request.js';
import { AGGREGATES, CODEC, EVENT_STORE, IDENTITIES } from '../tokens.js';
import { viewFromLog } from '../views.js';

/** Lists a new pet. */
export class CreatePet extends Command<Created | Refused<PetRejection | 'idempotency_key_reused'>> {
  constructor(
    readonly details: PetDetails,
    readonly status: PetStatus,
    readonly request: RequestContext,
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
  ) {}

  /** The must-not-exist append is the look-up: a repeat of a key meets its own stream. */
  async execute({ details, status, request }: CreatePet): Promise<AnswerOf<CreatePet>> {
    const { id, bodyDigest } = this.identities.of<PetId>('createPet', request, { details, status });
    const command = { type: 'ListPet', data: { petId: id, details, status } } as const;
    const outcome = await this.aggregates.handle(PETS, id, command, commandContext(request, bodyDigest), { isNew: true });
    if (isRejection(outcome) && outcome.rejected !== 'pet_exists') return outcome;
    const listed = isRejection(outcome) ? undefined : outcome.events[0];
    const first = listed ?? (await firstEvent(this.store, this.codec, petStream(id)));
    return first ? answerFrom(PETS.projection, first, { bodyDigest, replayed: !listed }) : rejected('pet_not_found');
  }
}

/** Replaces what is said of a pet; what is left out is cleared. */
export class UpdatePet extends Command<View | Refused<PetRejection>> {
  constructor(
    readonly id: string,
    readonly details: PetDetails,
    readonly status: PetStatus,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(UpdatePet)
export class UpdatePetHandler implements ICommandHandler<UpdatePet> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(CODEC) readonly codec: EventCodec,
  ) {}

  async execute({ id, details, status, request }: UpdatePet): Promise<AnswerOf<UpdatePet>> {
    const command = { type: 'RevisePet', data: { petId: id as PetId, details, status } } as const;
    const outcome = await handleOnMatch(this.aggregates, PETS, id, command, request);
    if (isRejection(outcome)) return outcome;
    return (await viewFromLog(this, PETS.projection, id)) ?? rejected('pet_not_found');
  }
}

/** Takes a pet out of the store; answers nothing when done. */
export class DeletePet extends Command<null | Refused<PetRejection>> {
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

  async execute({ id, request }: DeletePet): Promise<AnswerOf<DeletePet>> {
    const command = { type: 'RetirePet', data: { petId: id as PetId } } as const;
    const outcome = await handleOnMatch(this.aggregates, PETS, id, command, request);
    return isRejection(outcome) ? outcome : null;
  }
}

/** Listed in the module: the handlers of commands on pets. */
export const PET_COMMAND_HANDLERS = [CreatePetHandler, UpdatePetHandler, DeletePetHandler];
