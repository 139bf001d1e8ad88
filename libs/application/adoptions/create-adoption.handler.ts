import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AdoptionRejection } from '../../domain/adoptions/adoption.decider.js';
import { adoptionStream, type AdoptionId, type PetId } from '../../domain/ids.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { AppendedEvent, EventCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory, isOfOtherTenant } from '../../eventsourcing/history.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { ADOPTIONS, PETS } from '../aggregates.js';
import { createdView, readFirstEvent } from '../creation.js';
import type { Identities, Identity } from '../identities.js';
import { commandContext, type CommandRejection, type CreationResult, type RequestContext, type ResultOf } from '../request.js';
import { AGGREGATES, CODEC, DOCUMENTS, EVENT_STORE, IDENTITIES, KEY_VAULT } from '../tokens.js';
import { freeEndedApplication, holdPet, type Application } from './hold-pet.js';
import { forgetApplicant, openAdoptionView } from './open-adoption.js';

export type NewAdoptionInput = {
  readonly petId: string;
  readonly userId?: string;
  readonly applicant?: { readonly name: string; readonly email: string; readonly phone?: string };
  readonly message?: string;
};

const applicationOf = ({ id }: Identity<AdoptionId>, { petId, userId }: NewAdoptionInput): Application => ({
  ...{ petId: petId as PetId, adoptionId: id },
  ...(userId !== undefined && { userId }),
});

type Refusal = CommandRejection<AdoptionRejection | PetRejection | 'adoption_erased' | 'applicant_required' | 'idempotency_key_reused'>;

/** Applies for a pet. */
export class CreateAdoption extends Command<CreationResult | Refusal> {
  constructor(
    readonly input: NewAdoptionInput,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/**
 * Submits the application, then lets it hold the pet. If the service crashes between the two steps, the domain process
 * adoption-submitted-holds-pet continues (libs/processes). CreateOrder uses the opposite order: it changes the pet first. For an
 * application, a crash after that step would lose the applicant's personal data, because no event of a pet may contain them.
 */
@CommandHandler(CreateAdoption)
export class CreateAdoptionHandler implements ICommandHandler<CreateAdoption> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CODEC) private readonly codec: EventCodec,
    @Inject(KEY_VAULT) readonly keys: KeyVault,
    @Inject(DOCUMENTS) readonly documents: Documents,
  ) {}

  async execute({ input, request }: CreateAdoption): Promise<ResultOf<CreateAdoption>> {
    if (!input.applicant && input.userId === undefined) return rejected('applicant_required');
    const identity = this.identities.of<AdoptionId>('createAdoption', request, input);
    const earlier = identity.bodyDigest && (await this.readSubmission(identity.id));
    if (earlier) return this.replay(identity, input, earlier, commandContext(request, identity.bodyDigest));
    // Most applications for a pet that is not available end here, and nothing is recorded.
    const context = commandContext(request, identity.bodyDigest);
    const unavailable = await this.rejectionOf(applicationOf(identity, input), context);
    return unavailable ?? this.submit(identity, input, context);
  }

  private async submit(
    identity: Identity<AdoptionId>,
    input: NewAdoptionInput,
    context: CommandContext,
  ): Promise<ResultOf<CreateAdoption>> {
    const { id, bodyDigest } = identity;
    const petId = input.petId as PetId;
    const command = { type: 'CreateAdoption', data: { adoptionId: id, ...input, petId } } as const;
    const submitted = await this.aggregates.handle(ADOPTIONS, id, command, context, { isNew: !bodyDigest });
    if (isRejection(submitted) && submitted.rejected !== 'adoption_exists') return submitted;
    const first = isRejection(submitted) ? undefined : submitted.events[0];
    // If there is no first event, a concurrent request with the same Idempotency-Key has submitted the application.
    const earlier = first ? null : await this.readSubmission(id);
    if (earlier) return this.replay(identity, input, earlier, context);
    if (!first) return rejected('adoption_not_found');
    return (await this.hold(identity, input, context)) ?? this.result(first, bodyDigest, false);
  }

  /** Lets a submitted application hold its pet. Returns null, or why the pet rejects the application. */
  private async hold(identity: Identity<AdoptionId>, input: NewAdoptionInput, context: CommandContext): Promise<Refusal | null> {
    const { id, bodyDigest } = identity;
    const rejection = await holdPet(this.aggregates, applicationOf(identity, input), context);
    if (!rejection) return null;
    // `contended`: too many requests changed the pet at the same time. With an Idempotency-Key, the application stays open,
    // and a repeated request continues with the application (contract 36.3).
    return rejection.rejected === 'contended' && bodyDigest !== undefined ? rejection : this.giveUp(id, rejection, context);
  }

  /**
   * Rejects an application that does not get its pet. Erases the applicant's data, because the caller gets no token to erase
   * the data later (contract 36.7).
   */
  private async giveUp(
    adoptionId: AdoptionId,
    rejection: Rejection<PetRejection | 'precondition_failed' | 'contended'>,
    context: CommandContext,
  ): Promise<Refusal> {
    const reject = { type: 'RejectAdoption', data: { adoptionId, reason: 'pet_not_available' } } as const;
    await this.aggregates.handle(ADOPTIONS, adoptionId, reject, context);
    await this.aggregates.handle(ADOPTIONS, adoptionId, { type: 'DeleteAdoption', data: { adoptionId } }, context);
    await forgetApplicant(this, adoptionId);
    return rejection;
  }

  /**
   * Returns the result of the earlier request, or a rejection if its applicant has been erased since. Lets the application hold
   * its pet again, because the earlier request may have been interrupted before that step.
   */
  private async replay(
    identity: Identity<AdoptionId>,
    input: NewAdoptionInput,
    submission: AppendedEvent,
    context: CommandContext,
  ): Promise<ResultOf<CreateAdoption>> {
    const { state } = await this.aggregates.load(ADOPTIONS, identity.id);
    if (state.status === 'unsubmitted') return rejected('adoption_not_found');
    if (state.isErased) return rejected('adoption_erased');
    const result = await this.result(submission, identity.bodyDigest, true);
    return isRejection(result) ? result : ((await this.hold(identity, { ...input, petId: state.petId }, context)) ?? result);
  }

  private async result(submission: AppendedEvent, bodyDigest: string | undefined, replayed: boolean): Promise<ResultOf<CreateAdoption>> {
    const result = createdView(ADOPTIONS.projection, submission, { bodyDigest, replayed });
    return isRejection(result) ? result : openAdoptionView(this.keys, result);
  }

  /** Returns why the pet rejects the application, or null. For a pet of another tenant: `pet_not_found` (contract 6.2). */
  private async rejectionOf(application: Application, context: CommandContext): Promise<Rejection<PetRejection> | null> {
    const { tenant } = context;
    try {
      const { state } = await this.aggregates.load(PETS, application.petId);
      if (state.tenant !== tenant) return rejected('pet_not_found');
      const decision = PETS.decider.decide({ type: 'HoldPetForAdoption', data: application }, state);
      if (!isRejection(decision)) return null;
      const isFree = decision.rejected === 'already_applied' && (await freeEndedApplication(this.aggregates, application, context));
      return isFree ? null : decision;
    } catch (error) {
      if (error instanceof BrokenHistory && isOfOtherTenant(tenant, error)) return rejected('pet_not_found');
      throw error;
    }
  }

  private readSubmission(id: AdoptionId): Promise<AppendedEvent | null> {
    return readFirstEvent(this.store, this.codec, adoptionStream(id));
  }
}
