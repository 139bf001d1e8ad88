import type { AdoptionCommand, AdoptionRejection } from '../../domain/adoptions/adoption.decider.js';
import type { AdoptionEvent } from '../../domain/adoptions/adoption.events.js';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import type { PetRejection } from '../../domain/pets/pet.decider.js';
import { isRejection, rejected, rejectionIn, type Rejection } from '../../eventsourcing/decider.js';
import { isOfOtherTenant } from '../../eventsourcing/history.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { CommandResult, LoadedStream } from '../../eventsourcing/streams/aggregate.js';
import type { Adoption } from '../../projections/adoptions.projection.js';
import { ADOPTIONS, PETS } from '../aggregates.js';
import type { Ports } from '../command-ports.js';
import { create } from '../creation.js';
import type { Identity } from '../identities.js';
import { handleWithPrecondition } from '../precondition.js';
import {
  commandContext,
  RequestCommand,
  type CommandRejection,
  type CreationResult,
  type RequestContext,
  type ResultOf,
  type View,
} from '../request.js';
import { etagAfterErasure, etagOf, viewAfter } from '../views.js';
import { freeEndedApplication, holdPet, type Application } from './hold-pet.js';
import { ManageTokens } from './manage-tokens.js';
import { forgetApplicant, openAdoptionView, withoutApplicant } from './open-adoption.js';

export type NewAdoptionInput = {
  readonly petId: string;
  readonly userId?: string;
  readonly applicant?: { readonly name: string; readonly email: string; readonly phone?: string };
  readonly message?: string;
};

type Refusal = CommandRejection<AdoptionRejection | PetRejection | 'adoption_erased' | 'applicant_required' | 'idempotency_key_reused'>;

/** Applies for a pet. */
export class CreateAdoption extends RequestCommand<'CreateAdoption', CreationResult | Refusal> {
  constructor(
    readonly input: NewAdoptionInput,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type CreatingPorts = Ports<'aggregates' | 'identities' | 'store' | 'codec' | 'keys' | 'documents'>;

/**
 * Submits the application, then lets it hold the pet. If the service crashes between the two steps, the domain process
 * adoption-submitted-holds-pet continues (libs/processes). CreateOrder uses the opposite order: it changes the pet first. For an
 * application, a crash after that step would lose the applicant's personal data, because no event of a pet may contain them.
 */
export const createAdoption = async (ports: CreatingPorts, { input, request }: CreateAdoption): Promise<ResultOf<CreateAdoption>> => {
  if (!input.applicant && input.userId === undefined) return rejected('applicant_required');
  return create(ports, {
    operation: 'createAdoption',
    request,
    digested: input,
    aggregate: ADOPTIONS,
    exists: 'adoption_exists',
    missing: 'adoption_not_found',
    append: async (identity: Identity<AdoptionId>, context) => {
      const { id, bodyDigest } = identity;
      // Most applications for a pet that is not available end here, and nothing is recorded.
      const unavailable = await rejectionOf(ports, applicationOf(identity, input), context);
      if (unavailable) return unavailable;
      const command = { type: 'CreateAdoption', data: { adoptionId: id, ...input, petId: input.petId as PetId } } as const;
      const submitted = await ports.aggregates.handle(ADOPTIONS, id, command, context, { isNew: !bodyDigest });
      return isRejection(submitted) ? submitted : { first: submitted.events[0] };
    },
    checkReplay: async (id) => {
      const { state } = await ports.aggregates.load(ADOPTIONS, id);
      if (state.status === 'unsubmitted') return rejected('adoption_not_found');
      return state.isErased ? rejected('adoption_erased') : null;
    },
    answer: async (view, { identity, context }) => {
      const application = applicationOf(identity, input);
      if (!view.replayed) return (await hold(ports, identity, application, context)) ?? openAdoptionView(ports.keys, view);
      // The earlier request may have been interrupted before the application held its pet.
      const opened = await openAdoptionView(ports.keys, view);
      return isRejection(opened) ? opened : ((await hold(ports, identity, application, context)) ?? opened);
    },
  });
};

const applicationOf = ({ id }: Identity<AdoptionId>, { petId, userId }: NewAdoptionInput): Application => ({
  petId: petId as PetId,
  adoptionId: id,
  ...(userId !== undefined && { userId }),
});

/** Lets a submitted application hold its pet. Returns null, or why the pet rejects the application. */
const hold = async (
  ports: CreatingPorts,
  { id, bodyDigest }: Identity<AdoptionId>,
  application: Application,
  context: CommandContext,
): Promise<Rejection<PetRejection | 'precondition_failed' | 'contended'> | null> => {
  const rejection = await holdPet(ports.aggregates, application, context);
  if (!rejection) return null;
  // `contended`: too many requests changed the pet at the same time. With an Idempotency-Key, the application stays open,
  // and a repeated request continues with the application (contract 36.3).
  if (rejection.rejected !== 'contended' || bodyDigest === undefined) await giveUp(ports, id, context);
  return rejection;
};

/**
 * Rejects an application that does not get its pet. Erases the applicant's data, because the caller gets no token to erase
 * the data later (contract 36.7).
 */
const giveUp = async (ports: CreatingPorts, adoptionId: AdoptionId, context: CommandContext): Promise<void> => {
  const reject = { type: 'RejectAdoption', data: { adoptionId, reason: 'pet_not_available' } } as const;
  await ports.aggregates.handle(ADOPTIONS, adoptionId, reject, context);
  await ports.aggregates.handle(ADOPTIONS, adoptionId, { type: 'DeleteAdoption', data: { adoptionId } }, context);
  await forgetApplicant(ports, adoptionId);
};

/** Returns why the pet rejects the application, or null. For a pet of another tenant: `pet_not_found` (contract 6.2). */
const rejectionOf = async (
  { aggregates }: Ports<'aggregates'>,
  application: Application,
  context: CommandContext,
): Promise<Rejection<PetRejection> | null> => {
  const { tenant } = context;
  try {
    const { state } = await aggregates.load(PETS, application.petId);
    if (state.tenant !== tenant) return rejected('pet_not_found');
    const decision = PETS.decider.decide({ type: 'HoldPetForAdoption', data: application }, state);
    if (!isRejection(decision)) return null;
    const isFree = decision.rejected === 'already_applied' && (await freeEndedApplication(aggregates, application, context));
    return isFree ? null : decision;
  } catch (error) {
    if (isOfOtherTenant(tenant, error)) return rejected('pet_not_found');
    throw error;
  }
};

type EndingPorts = Ports<'aggregates' | 'keys'>;
type Decided = View | CommandRejection<AdoptionRejection | 'pet_not_held'>;

const viewOfAdoption = async (
  keys: KeyVault,
  id: string,
  changed: Pick<LoadedStream<unknown>, 'folded'>,
): Promise<View | Rejection<'adoption_not_found'>> => {
  const view = viewAfter(ADOPTIONS, id, changed);
  return view ? openAdoptionView(keys, view) : rejected('adoption_not_found');
};

/**
 * Returns the view of an application that was erased while it was approved. Its read model is gone, but the pet was given, so the
 * approval has succeeded (contract 36.5). The view is that of the start of the approval, without the applicant.
 */
const approvedView = (
  id: string,
  { folded: { document }, events: [start] }: CommandResult<unknown, AdoptionEvent>,
  { folded }: Pick<LoadedStream<unknown>, 'folded'>,
): View | Rejection<'adoption_not_found'> => {
  if (!document || !start) return rejected('adoption_not_found');
  const json = JSON.stringify({ ...(document.body as Adoption), status: 'approved', updatedAt: start.meta.time });
  const etag = etagAfterErasure(
    etagOf(folded, ADOPTIONS.projection, () => json),
    true,
  );
  return { id, json: withoutApplicant(json), etag, fields: document.fields };
};

/** Rejects or withdraws an application. A domain process then frees the pet that the application holds. */
const endAdoption = async (ports: EndingPorts, command: AdoptionCommand, request: RequestContext): Promise<Decided> => {
  const { adoptionId } = command.data;
  const outcome = await handleWithPrecondition(ports.aggregates, ADOPTIONS, adoptionId, command, request);
  return isRejection(outcome) ? outcome : viewOfAdoption(ports.keys, adoptionId, outcome);
};

/** Approves an application: its pet is adopted, and the other applications for the pet are rejected. */
export class ApproveAdoption extends RequestCommand<'ApproveAdoption', Decided> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/**
 * Appends the start of the approval to the application's stream: of several concurrent decisions and withdrawals, only one
 * succeeds. Then gives the pet to the application: of several applications for the pet, only one gets it. If the service
 * crashes between these appends, domain processes complete the approval (contract 36.5).
 */
export const approveAdoption = async (ports: EndingPorts, { id, request }: ApproveAdoption): Promise<ResultOf<ApproveAdoption>> => {
  const { aggregates, keys } = ports;
  const adoptionId = id as AdoptionId;
  const start = { type: 'StartAdoptionApproval', data: { adoptionId } } as const;
  const started = await handleWithPrecondition(aggregates, ADOPTIONS, id, start, request);
  if (isRejection(started)) return started;
  if (started.state.status === 'unsubmitted') return rejected('adoption_not_found');
  const context = commandContext(request);
  const lost = await adopt(ports, { petId: started.state.petId, adoptionId }, context);
  // Too many requests changed the pet at the same time, so the approval has not been decided. The domain process
  // adoption-approval-adopts-pet tries again.
  if (lost?.rejected === 'contended') return rejected('contended');
  const outcome = lost
    ? ({ type: 'RejectAdoption', data: { adoptionId, reason: 'pet_not_available' } } as const)
    : ({ type: 'ApproveAdoption', data: { adoptionId } } as const);
  const ended = await aggregates.handle(ADOPTIONS, id, outcome, context);
  if (lost) return rejected('pet_not_held');
  if (isRejection(ended)) return ended;
  const view = await viewOfAdoption(keys, id, ended);
  return isRejection(view) ? approvedView(id, started, ended) : view;
};

/** Gives the pet to the application. Returns null, or why the application does not get the pet. */
const adopt = async ({ aggregates }: EndingPorts, application: Application, context: CommandContext): Promise<Rejection | null> => {
  // If a crash interrupted the submission, the application does not hold its pet yet.
  const unheld = await holdPet(aggregates, application, context);
  if (unheld) return unheld;
  const command = { type: 'AdoptPetByApplication', data: application } as const;
  const outcome = await aggregates.handle(PETS, application.petId, command, context);
  return rejectionIn(outcome);
};

/** Rejects an application. */
export class RejectAdoption extends RequestCommand<'RejectAdoption', Decided> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const rejectAdoption = (ports: EndingPorts, { id, request }: RejectAdoption): Promise<Decided> =>
  endAdoption(ports, { type: 'RejectAdoption', data: { adoptionId: id as AdoptionId, reason: 'declined' } }, request);

/** Withdraws an application. */
export class WithdrawAdoption extends RequestCommand<'WithdrawAdoption', Decided> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const withdrawAdoption = (ports: EndingPorts, { id, request }: WithdrawAdoption): Promise<Decided> =>
  endAdoption(ports, { type: 'WithdrawAdoption', data: { adoptionId: id as AdoptionId } }, request);

/**
 * Erases an application: destroys the key of the applicant's data and ends the tokens of the application. The log keeps the record.
 * Returns null on success.
 */
export class DeleteAdoption extends RequestCommand<'DeleteAdoption', null | CommandRejection<AdoptionRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const deleteAdoption = async (
  ports: Ports<'aggregates' | 'keys' | 'documents'>,
  { id, request }: DeleteAdoption,
): Promise<ResultOf<DeleteAdoption>> => {
  const command = { type: 'DeleteAdoption', data: { adoptionId: id as AdoptionId } } as const;
  const outcome = await handleWithPrecondition(ports.aggregates, ADOPTIONS, id, command, request);
  if (isRejection(outcome)) return outcome;
  await forgetApplicant(ports, id);
  return null;
};

/** Issues a token with which an applicant manages an application. Returns the token. */
export class IssueManageToken extends RequestCommand<'IssueManageToken', string> {
  constructor(
    readonly adoptionId: string,
    readonly tenant: string,
  ) {
    super();
  }
}

export const issueManageToken = (
  { documents, keys, ids }: Ports<'documents' | 'keys' | 'ids'>,
  { adoptionId, tenant }: IssueManageToken,
): Promise<string> => new ManageTokens(documents, keys).issue({ adoptionId, tenant }, ids);
