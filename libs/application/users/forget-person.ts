import { userSubject } from '../../domain/events.js';
import type { UserId } from '../../domain/ids.js';
import type { UserNames } from '../../domain/users/user.events.js';
import type { Aggregates } from '../../eventsourcing/handle.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { Credentials } from './credentials.js';
import { NameClaims } from './name-claims.js';

/** The ports that forgetting a person needs. */
export type ForgettingPorts = {
  readonly aggregates: Aggregates;
  readonly keys: KeyVault;
  readonly documents: Documents;
  readonly clock: Clock;
};

/**
 * Destroys the key of an erased person, removes the password's hash and frees the names. It may be repeated:
 * the request that erases the account does it, and a domain process in case that request was interrupted.
 */
export const forgetPerson = async (
  { aggregates, keys, documents, clock }: ForgettingPorts,
  { userId, names }: { readonly userId: UserId; readonly names: UserNames },
  context: CommandContext,
): Promise<void> => {
  await keys.destroyPersonalKey(userSubject(userId));
  await new Credentials(documents).removePasswordHash(userId);
  const claims = new NameClaims({ aggregates, clock });
  await claims.free(userId, await claims.held(names, null), context);
};
