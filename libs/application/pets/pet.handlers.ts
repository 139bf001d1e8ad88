import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { petStream, type PetId } from '../../domain/ids.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { Aggregates, EventCodec } from '../../eventsourcing/handle.js';
import { PETS } from '../aggregates.js';
import { answerFrom, firstEvent } from '../creation.js';
import type { Identities } from '../identities.js';
import { handleOnMatch } from '../precondition.js';
import { commandContext, type AnswerOf } from '../request.js';
import { AGGREGATES, CODEC, EVENT_STORE, IDENTITIES } from '../tokens.js';
import { viewFromLog } from '../views.js';
import { CreatePet, DeletePet, UpdatePet } from './pet.requests.js';

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
    const outcome = await this.aggregates.handle(PETS, id, command, commandContext(request, bodyDigest), { fresh: true });
    if (isRejection(outcome) && outcome.rejected !== 'pet_exists') return outcome;
    const listed = isRejection(outcome) ? undefined : outcome.events[0];
    const first = listed ?? (await firstEvent(this.store, this.codec, petStream(id)));
    return first ? answerFrom(PETS.projection, first, { bodyDigest, replayed: !listed }) : rejected('pet_not_found');
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

@CommandHandler(DeletePet)
export class DeletePetHandler implements ICommandHandler<DeletePet> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: Aggregates) {}

  async execute({ id, request }: DeletePet): Promise<AnswerOf<DeletePet>> {
    const command = { type: 'RetirePet', data: { petId: id as PetId } } as const;
    const outcome = await handleOnMatch(this.aggregates, PETS, id, command, request);
    return isRejection(outcome) ? outcome : null;
  }
}
