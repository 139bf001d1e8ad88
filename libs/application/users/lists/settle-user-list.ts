import type { Aggregates } from '../../../eventsourcing/aggregates.js';
import type { CommandContext, Message } from '../../../eventsourcing/message.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../eventsourcing/ports/documents.port.js';
import type { Execute } from '../../../eventsourcing/process.js';
import { repeat } from '../../../runtime/following/repeat.js';
import { USERS } from '../../aggregates.js';
import { eraseAccount, type ErasingPorts } from '../erase-account.js';
import { UserLists } from './user-lists.js';

/** Milliseconds after which a list is settled. The request that creates it normally ends within seconds. */
const SETTLED_AFTER = 60_000;
/**
 * Milliseconds after which an undone list is forgotten. Until then, its users are erased again and again: the request that
 * creates the list may have been paused, and may register more users when it continues.
 */
export const FORGOTTEN_AFTER = 600_000;
/** Milliseconds between two searches for lists. */
const INTERVAL = 15_000;
const PAGE = 100;

/** Completes or undoes a list of users whose creation was interrupted. `listId` is the id of its first user. */
export type SettleUserList = Message<'SettleUserList', { readonly listId: string }>;

/** Keeps the users of a list if all of them were registered. Otherwise, erases those that were. A repeated call does no harm. */
export const settleUserList = async (ports: ErasingPorts, listId: string, context: CommandContext): Promise<void> => {
  const lists = new UserLists(ports.documents, ports.clock);
  const list = await lists.get(listId);
  if (!list) return;
  const { userIds, state } = list.value;
  if (state === 'complete' || (state === 'creating' && (await areRegistered(ports.aggregates, userIds)))) {
    await lists.complete(list);
    return;
  }
  if (state === 'creating' && !(await lists.beginUndoing(list))) return;
  for (const userId of userIds) await eraseAccount(ports, userId, (command) => ports.aggregates.handle(USERS, userId, command, context));
  const age = ports.clock.now().getTime() - Date.parse(String(list.fields['createdAt']));
  if (age > FORGOTTEN_AFTER) await lists.forget(listId);
};

/** Returns whether all users were registered. Users that were erased since then count. */
const areRegistered = async (aggregates: Aggregates, userIds: readonly string[]): Promise<boolean> => {
  for (const userId of userIds) if ((await aggregates.load(USERS, userId)).state.kind === 'unregistered') return false;
  return true;
};

/** Settles the lists that are older than SETTLED_AFTER. Returns a function that stops this and waits for the current list. */
export const startSettlingUserLists = (ports: {
  readonly clock: Clock;
  readonly documents: Documents;
  readonly execute: Execute<SettleUserList>;
  readonly onError: (error: unknown) => void;
}): (() => Promise<void>) => {
  const { clock, execute, onError } = ports;
  const lists = new UserLists(ports.documents, clock);
  const work = async (): Promise<number> => {
    for (const { key, value } of await lists.beginningBy(new Date(clock.now().getTime() - SETTLED_AFTER), PAGE)) {
      const context = { tenant: value.tenant, actor: 'process:user-lists', correlationId: key, causationId: key };
      await execute({ type: 'SettleUserList', data: { listId: key } }, context).catch((error: unknown) =>
        onError(new Error(`could not settle the list with the user ${key}`, { cause: error })),
      );
    }
    return INTERVAL;
  };
  return repeat({ clock, firstDelay: INTERVAL, work, failureDelay: INTERVAL, onError });
};
