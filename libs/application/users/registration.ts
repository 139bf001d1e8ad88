import type { UserCommand, UserRejection, UserState } from '../../domain/users/user.decider.js';
import type { UserEvent } from '../../domain/users/user.events.js';
import { isRejection, rejected } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { MAX_ATTEMPTS } from '../../eventsourcing/handle.js';
import type { CommandResult } from '../../eventsourcing/streams/aggregate.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import { USERS } from '../aggregates.js';
import type { Identities } from '../identities.js';
import { isStillAt } from '../precondition.js';
import type { CommandRejection } from '../request.js';
import type { Credentials } from './credentials.js';
import type { NameClaims } from './names/name-claims.js';

/** The data of a new account. The registration adds the id of its password's hash. */
export type NewAccount = Omit<Extract<UserCommand, { type: 'CreateUser' }>['data'], 'credentialId'>;

type Registered = CommandResult<UserState, UserEvent> | CommandRejection<UserRejection | 'name_taken'>;

type RegistrationDependencies = {
  readonly aggregates: Aggregates;
  readonly identities: Identities;
  readonly claims: NameClaims;
  readonly credentials: Credentials;
};

/** Registers accounts. The caller has hashed their passwords. */
export class Registration {
  constructor(private readonly dependencies: RegistrationDependencies) {}

  /**
   * Claims the names, then stores the hash under an id of this call, and then appends the registration, which names the hash. So
   * every account that exists has its names, and the password of the request that registered it. After a rejection, neither a
   * claim nor the hash of this call remains. After a crash before the append, the claims lapse: other accounts can take the names
   * over.
   */
  async register(account: NewAccount, passwordHash: string, context: CommandContext): Promise<Registered> {
    const { aggregates, identities, claims, credentials } = this.dependencies;
    const { userId, names } = account;
    const { tenant, actor, requestId = userId } = context;
    const credentialId = identities.of<string>('registerPassword', { tenant, actor, requestId }, null).id;
    const command = { type: 'CreateUser', data: { ...account, credentialId } } as const;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const loaded = await aggregates.load(USERS, userId);
      if (loaded.state.kind !== 'unregistered') return rejected('user_exists');
      const claimed = await claims.claim(userId, names, null, context);
      if (isRejection(claimed)) return claimed;
      await credentials.storePasswordHash(userId, credentialId, passwordHash);
      const outcome = await aggregates.handle(USERS, userId, command, context, { loaded, precondition: isStillAt(loaded) });
      if (!isRejection(outcome)) return outcome;
      await credentials.removePasswordHash(userId, credentialId);
      await claims.free(userId, claimed, context);
      if (outcome.rejected !== 'precondition_failed') return outcome;
    }
    return rejected('contended');
  }
}
