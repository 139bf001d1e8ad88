import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UserId } from '../../domain/ids.js';
import type { UserRejection } from '../../domain/users/user.decider.js';
import { isRejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { USERS } from '../aggregates.js';
import { commandContext, type CommandRejection, type RequestContext, type ResultOf } from '../request.js';
import { endTokensAfter } from '../sessions/end-tokens.js';
import type { Revocations } from '../sessions/revocations.js';
import { AGGREGATES, CLOCK, DOCUMENTS, REVOCATIONS } from '../tokens.js';
import { leaveStaff } from './last-staff.js';

/** Whether each change takes the role or the use of an account away. */
const TAKES = { GrantStaff: false, RevokeStaff: true, DisableUser: true, EnableUser: false } as const;

/** The commands that change the role or the status of an account (contract 30.8). */
export type StatusSwitch = keyof typeof TAKES;

/** Changes the role or the status of an account. A repeated change has no effect. Returns null on success. */
export class ChangeAccountStatus extends Command<null | CommandRejection<UserRejection | 'last_staff'>> {
  constructor(
    readonly id: string,
    readonly change: StatusSwitch,
    readonly request: RequestContext,
  ) {
    super();
  }
}

@CommandHandler(ChangeAccountStatus)
export class ChangeAccountStatusHandler implements ICommandHandler<ChangeAccountStatus> {
  constructor(
    @Inject(AGGREGATES) readonly aggregates: Aggregates,
    @Inject(DOCUMENTS) readonly documents: Documents,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(REVOCATIONS) readonly revocations: Revocations,
  ) {}

  async execute({ id, change, request }: ChangeAccountStatus): Promise<ResultOf<ChangeAccountStatus>> {
    const userId = id as UserId;
    const append = () => this.aggregates.handle(USERS, id, { type: change, data: { userId } }, commandContext(request));
    const outcome = TAKES[change] ? await leaveStaff(this, userId, append) : await append();
    if (isRejection(outcome)) return outcome;
    await endTokensAfter(this, userId, outcome.events);
    return null;
  }
}
