import { CommandBus, type Command } from '@nestjs/cqrs';
import { DeleteAdoption } from '../../../libs/application/adoptions/adoption.commands.js';
import { ADOPTIONS, USERS } from '../../../libs/application/aggregates.js';
import { DeleteUser } from '../../../libs/application/users/user.commands.js';
import { ownerOfKey, type KeyOwner } from '../../../libs/domain/events.js';
import type { Rejection } from '../../../libs/eventsourcing/decider.js';
import { Aggregates } from '../../../libs/eventsourcing/aggregates.js';
import { reasonOf } from '../../../libs/eventsourcing/reason.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { withServiceInProcess } from './api-in-process.js';

/** The actor and the request id in the events of the erasures. */
const REQUEST = { actor: 'cli:erasures', requestId: 'erasures' };

/** The number of erased persons, and a line for each destroyed key whose person could not be erased. */
type CompletedErasures = { readonly erased: number; readonly failed: readonly string[] };

/**
 * Erases the accounts and applicants whose keys were destroyed (contract 38.3), and so frees the usernames of the accounts.
 * Skips persons whose erasure is in the log. A restored log lacks erasures that are newer than
 * the backup.
 */
export const completeErasures = (settings: Settings, destroyedKeys: readonly string[]): Promise<CompletedErasures> =>
  withServiceInProcess(settings, async ({ app }) => {
    const [aggregates, commands] = [app.get<Aggregates>(Aggregates), app.get(CommandBus)];
    let erased = 0;
    const failed: string[] = [];
    for (const name of destroyedKeys) {
      try {
        const command = await missingErasure(aggregates, ownerOfKey(name));
        if (!command) continue;
        const rejection = await commands.execute(command);
        if (rejection === null) erased++;
        else failed.push(`${name}: ${rejection.rejected}`);
      } catch (error) {
        // One altered stream must not prevent the other erasures.
        failed.push(`${name}: ${reasonOf(error)}`);
      }
    }
    return { erased, failed };
  });

/** Returns the command that erases the owner of a destroyed key. Null if the key has no owner, or if the log has the erasure. */
const missingErasure = async (aggregates: Aggregates, owner: KeyOwner | null): Promise<Command<null | Rejection> | null> => {
  if (owner?.kind === 'user') {
    const { state } = await aggregates.load(USERS, owner.id);
    return state.kind === 'registered' ? new DeleteUser(owner.id, { ...REQUEST, tenant: state.tenant }) : null;
  }
  if (owner?.kind !== 'adoption') return null;
  const { state } = await aggregates.load(ADOPTIONS, owner.id);
  const isMissing = state.status !== 'unsubmitted' && !state.isErased;
  return isMissing ? new DeleteAdoption(owner.id, { ...REQUEST, tenant: state.tenant }) : null;
};
