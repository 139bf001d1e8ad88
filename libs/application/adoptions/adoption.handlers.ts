import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AdoptionCommand, AdoptionRejection } from '../../domain/adoptions/adoption.decider.js';
import type { AdoptionEvent } from '../../domain/adoptions/adoption.events.js';
import type { AdoptionId, PetId } from '../../domain/ids.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { CommandResult, LoadedStream } from '../../eventsourcing/streams/aggregate.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Ids } from '../../eventsourcing/ports/ids.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { Adoption } from '../../projections/adoptions.projection.js';
import { ADOPTIONS, PETS } from '../aggregates.js';
import { handleWithPrecondition } from '../precondition.js';
import { commandContext, type CommandRejection, type RequestContext, type ResultOf, type View } from '../request.js';
import { AGGREGATES, DOCUMENTS, IDS, KEY_VAULT } from '../tokens.js';
import { etagAfterErasure, etagOf, viewAfter } from '../views.js';
import { holdPet } from './hold-pet.js';
import { ManageTokens } from './manage-tokens.js';
import { forgetApplicant, openAdoptionView, withoutApplicant } from './open-adoption.js';

type Ports = { readonly aggregates: Aggregates; readonly keys: KeyVault };
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
  const body = { ...(document.body as Adoption), status: 'approved', updatedAt: start.meta.time };
  const etag = etagAfterErasure(etagOf(folded.revision, ADOPTIONS.projection), true);
  return { id, json: withoutApplicant(JSON.stringify(body)), etag, fields: document.fields };
};

/** Rejects or withdraws an application. A domain process then frees the pet that the application holds. */
const endAdoption = async (ports: Ports, command: AdoptionCommand, request: RequestContext): Promise<Decided> => {
  const { adoptionId } = command.data;
  const outcome = await handleWithPrecondition(ports.aggregates, ADOPTIONS, adoptionId, command, request);
  return isRejection(outcome) ? outcome : viewOfAdoption(ports.keys, adoptionId, outcome);
};

/** Approves an application: its pet is adopted, and the other applications for the pet are rejected. */
export class ApproveAdoption extends Command<Decided> {
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
@CommandHandler(ApproveAdoption)
export class ApproveAdoptionHandler implements ICommandHandler<ApproveAdoption> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(KEY_VAULT) readonly keys: KeyVault,
  ) {}

  async execute({ id, request }: ApproveAdoption): Promise<ResultOf<ApproveAdoption>> {
    const adoptionId = id as AdoptionId;
    const start = { type: 'StartAdoptionApproval', data: { adoptionId } } as const;
    const started = await handleWithPrecondition(this.aggregates, ADOPTIONS, id, start, request);
    if (isRejection(started)) return started;
    if (started.state.status === 'unsubmitted') return rejected('adoption_not_found');
    const context = commandContext(request);
    const lost = await this.adopt({ petId: started.state.petId, adoptionId }, context);
    // Too many requests changed the pet at the same time, so the approval has not been decided. The domain process
    // adoption-approval-adopts-pet tries again.
    if (lost?.rejected === 'contended') return rejected('contended');
    const outcome = lost
      ? ({ type: 'RejectAdoption', data: { adoptionId, reason: 'pet_not_available' } } as const)
      : ({ type: 'ApproveAdoption', data: { adoptionId } } as const);
    const ended = await this.aggregates.handle(ADOPTIONS, id, outcome, context);
    if (lost) return rejected('pet_not_held');
    if (isRejection(ended)) return ended;
    const view = await viewOfAdoption(this.keys, id, ended);
    return isRejection(view) ? approvedView(id, started, ended) : view;
  }

  /** Gives the pet to the application. Returns null, or why the application does not get the pet. */
  private async adopt(
    application: { readonly petId: PetId; readonly adoptionId: AdoptionId },
    context: CommandContext,
  ): Promise<Rejection | null> {
    // If a crash interrupted the submission, the application does not hold its pet yet.
    const unheld = await holdPet(this.aggregates, application, context);
    if (unheld) return unheld;
    const adopt = { type: 'AdoptPetByApplication', data: application } as const;
    const outcome = await this.aggregates.handle(PETS, application.petId, adopt, context);
    return isRejection(outcome) ? outcome : null;
  }
}

/** Rejects an application. */
export class RejectAdoption extends Command<Decided> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(RejectAdoption)
export class RejectAdoptionHandler implements ICommandHandler<RejectAdoption> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(KEY_VAULT) readonly keys: KeyVault,
  ) {}

  async execute({ id, request }: RejectAdoption): Promise<ResultOf<RejectAdoption>> {
    return endAdoption(this, { type: 'RejectAdoption', data: { adoptionId: id as AdoptionId, reason: 'declined' } }, request);
  }
}

/** Withdraws an application. */
export class WithdrawAdoption extends Command<Decided> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(WithdrawAdoption)
export class WithdrawAdoptionHandler implements ICommandHandler<WithdrawAdoption> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(KEY_VAULT) readonly keys: KeyVault,
  ) {}

  async execute({ id, request }: WithdrawAdoption): Promise<ResultOf<WithdrawAdoption>> {
    return endAdoption(this, { type: 'WithdrawAdoption', data: { adoptionId: id as AdoptionId } }, request);
  }
}

/**
 * Erases an application: destroys the key of the applicant's data and ends the tokens of the application. The log keeps the record.
 * Returns null on success.
 */
export class DeleteAdoption extends Command<null | CommandRejection<AdoptionRejection>> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(DeleteAdoption)
export class DeleteAdoptionHandler implements ICommandHandler<DeleteAdoption> {
  constructor(
    @Inject(AGGREGATES) private readonly aggregates: Aggregates,
    @Inject(KEY_VAULT) readonly keys: KeyVault,
    @Inject(DOCUMENTS) readonly documents: Documents,
  ) {}

  async execute({ id, request }: DeleteAdoption): Promise<ResultOf<DeleteAdoption>> {
    const erase = { type: 'DeleteAdoption', data: { adoptionId: id as AdoptionId } } as const;
    const outcome = await handleWithPrecondition(this.aggregates, ADOPTIONS, id, erase, request);
    if (isRejection(outcome)) return outcome;
    await forgetApplicant(this, id);
    return null;
  }
}

/** Issues a token with which an applicant manages an application. Returns the token. */
export class IssueManageToken extends Command<string> {
  constructor(
    readonly adoptionId: string,
    readonly tenant: string,
  ) {
    super();
  }
}

@CommandHandler(IssueManageToken)
export class IssueManageTokenHandler implements ICommandHandler<IssueManageToken> {
  private readonly tokens: ManageTokens;

  constructor(
    @Inject(DOCUMENTS) documents: Documents,
    @Inject(KEY_VAULT) keys: KeyVault,
    @Inject(IDS) private readonly ids: Ids,
  ) {
    this.tokens = new ManageTokens(documents, keys);
  }

  execute({ adoptionId, tenant }: IssueManageToken): Promise<ResultOf<IssueManageToken>> {
    return this.tokens.issue({ adoptionId, tenant }, this.ids);
  }
}

/** The command handlers of applications, for the module. CreateAdoptionHandler is not in this list. */
export const ADOPTION_COMMAND_HANDLERS = [
  ApproveAdoptionHandler,
  RejectAdoptionHandler,
  WithdrawAdoptionHandler,
  DeleteAdoptionHandler,
  IssueManageTokenHandler,
];
