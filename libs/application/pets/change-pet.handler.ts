import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PetId } from '../../domain/ids.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import type { ClassicDetails, PetDetails, PetStatus } from '../../domain/pets/pet.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import { MAX_ATTEMPTS, type Aggregates } from '../../eventsourcing/handle.js';
import { PETS } from '../aggregates.js';
import { isStillAt } from '../precondition.js';
import { commandContext, type CommandRejection, type RequestContext, type ResultOf, type View } from '../request.js';
import { AGGREGATES } from '../tokens.js';
import { viewAfter } from '../views.js';

/** The new values of a pet: some details, its status, and the members of the classic variant. Absent values do not change. */
export type PetChanges = {
  readonly details: Partial<Pick<PetDetails, 'name' | 'species' | 'photos'>>;
  readonly status?: PetStatus;
  readonly classic?: ClassicDetails;
};

/** Changes some details of a pet, and keeps the others. */
export class ChangePet extends Command<View | CommandRejection<PetRejection>> {
  constructor(
    readonly id: string,
    readonly changes: PetChanges,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ChangePet)
export class ChangePetHandler implements ICommandHandler<ChangePet> {
  constructor(@Inject(AGGREGATES) private readonly aggregates: Aggregates) {}

  /** Appends only at the revision that was read. Otherwise, this would overwrite a concurrent change of other details. */
  async execute({ id, changes, request }: ChangePet): Promise<ResultOf<ChangePet>> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const loaded = await this.aggregates.load(PETS, id);
      const { state } = loaded;
      if (state.kind !== 'listed' || state.tenant !== request.tenant) return rejected('pet_not_found');
      const details = { ...state.details, ...changes.details };
      const { classic, status = state.status } = changes;
      const data = { petId: id as PetId, details, status, ...(classic && { classic }) };
      const options = { loaded, precondition: isStillAt(loaded) };
      const outcome = await this.aggregates.handle(PETS, id, { type: 'UpdatePet', data }, commandContext(request), options);
      if (isRejection(outcome) && outcome.rejected === 'precondition_failed') continue;
      if (isRejection(outcome)) return outcome;
      return viewAfter(PETS, id, outcome) ?? rejected('pet_not_found');
    }
    return rejected('contended');
  }
}
