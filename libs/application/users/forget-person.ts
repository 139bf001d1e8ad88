import { userSubject } from '../../domain/events.js';
import type { UserId } from '../../domain/ids.js';
import type { UserNames } from '../../domain/users/user.events.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { SignInAttempts } from '../sessions/sign-in-attempts.js';
import { Credentials } from './credentials.js';
import { NameClaims } from './names/name-claims.js';

/** The ports of `forgetPerson`. */
export type ForgettingPorts = {
  readonly aggregates: Aggregates;
  readonly keys: KeyVault;
  readonly documents: Documents;
  readonly clock: Clock;
};

/**
 * Destroys the key of an erased person, removes the hashes of the password and the attempts to sign in, and frees the names. The request that erases the
 * account calls this. The domain process user-erasure-forgets-person repeats the call, in case the request was interrupted.
 */
export const forgetPerson = async (
  { aggregates, keys, documents, clock }: ForgettingPorts,
  { userId, names }: { readonly userId: UserId; readonly names: UserNames },
  context: CommandContext,
): Promise<void> => {
  await keys.destroyPersonalKey(userSubject(userId));
  await new Credentials(documents).removePasswordHashes(userId);
  await new SignInAttempts(documents, clock).forget(userId);
  const claims = new NameClaims({ aggregates, clock });
  await claims.free(userId, await claims.held(names, null), context);
};
