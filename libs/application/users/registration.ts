import type { UserCommand } from '../../domain/users/user.commands.js';
import type { UserRejection, UserState } from '../../domain/users/user.decider.js';
import type { UserEvent } from '../../domain/users/user.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import { MAX_ATTEMPTS, type Aggregates, type CommandResult } from '../../eventsourcing/handle.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import { USERS } from '../aggregates.js';
import { isStillAt } from '../precondition.js';
import type { CommandRejection } from '../request.js';
import type { Credentials } from './credentials.js';
import type { NameClaims } from './names/name-claims.js';

export type RegisterUser = Extract<UserCommand, { type: 'RegisterUser' }>;

/** Registers accounts. The caller has hashed their passwords. */
export class Registration {
  constructor(
    private readonly aggregates: Aggregates,
    private readonly claims: NameClaims,
    private readonly credentials: Credentials,
  ) {}

  /**
   * Claims the names, then stores the hash, then appends the registration. In this order, every account that exists has its
   * names and can sign in. After a rejection, no claim of this call remains. After a crash before the append, the claims lapse:
   * other accounts can take the names over.
   */
  async register(
    command: RegisterUser,
    passwordHash: string,
    context: CommandContext,
  ): Promise<CommandResult<UserState, UserEvent> | CommandRejection<UserRejection | 'name_taken'>> {
    const { userId, names } = command.data;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const loaded = await this.aggregates.load(USERS, userId);
      if (loaded.state.kind !== 'unregistered') return rejected('user_exists');
      const claimed = await this.claims.claim(userId, names, null, context);
      if (isRejection(claimed)) return claimed;
      await this.credentials.addPasswordHash(userId, passwordHash);
      const outcome = await this.aggregates.handle(USERS, userId, command, context, { loaded, precondition: isStillAt(loaded) });
      if (!isRejection(outcome)) return outcome;
      await this.claims.free(userId, claimed, context);
      if (outcome.rejected !== 'precondition_failed') return outcome;
    }
    return rejected('contended');
  }
}
