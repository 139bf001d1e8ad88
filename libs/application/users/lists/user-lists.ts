import type { UserId } from '../../../domain/ids.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import type { Collection, Documents } from '../../../eventsourcing/ports/documents.port.js';
import { StateStore, type StoredEntry } from '../../state/state-store.js';

/** The lists of users whose creation has not ended. An entry's key is the id of the first user. */
export const USER_LISTS: Collection = {
  name: 'user_lists',
  version: 1,
  fields: { createdAt: 'text' },
  indexes: [['createdAt']],
  cells: [],
};

/**
 * `creating`: the users are being registered. `undoing`: the registered ones are being erased. `complete`: all users exist, and
 * the entry is about to be deleted.
 */
export type UserList = {
  readonly tenant: string;
  readonly userIds: readonly UserId[];
  readonly state: 'creating' | 'undoing' | 'complete';
};

/**
 * Remembers which users belong to a list until all of them exist or all are erased (contract 39.7). Two processes may be
 * working on a list at the same time: the one that creates it, and the one that settles it. Of both, only one can change the
 * state `creating`.
 */
export class UserLists {
  private readonly store: StateStore<UserList>;

  constructor(
    documents: Documents,
    private readonly clock: Clock,
  ) {
    this.store = new StateStore(documents, USER_LISTS);
  }

  /** Stores a list, durably when the call resolves, and returns it. */
  async begin(userIds: readonly UserId[], tenant: string): Promise<StoredEntry<UserList>> {
    const [key = ''] = userIds;
    const entry = { key, value: { tenant, userIds, state: 'creating' }, fields: { createdAt: this.clock.now().toISOString() } } as const;
    if (!(await this.store.put(entry, 'none'))) throw new Error(`there is another list with the user ${key}`);
    return { ...entry, version: 1 };
  }

  /** Returns the first lists that were stored at or before this time, oldest first. */
  beginningBy(time: Date, limit: number): Promise<readonly StoredEntry<UserList>[]> {
    return this.store.find({ createdAt: { to: time.toISOString() } }, { sort: ['createdAt'], limit, offset: 0 });
  }

  get(key: string): Promise<StoredEntry<UserList> | null> {
    return this.store.get(key);
  }

  /** Ends a list whose users all exist. Returns false if another process has changed its state. */
  async complete(list: StoredEntry<UserList>): Promise<boolean> {
    const isComplete = await this.store.put({ ...list, value: { ...list.value, state: 'complete' } }, list.version);
    if (isComplete) await this.forget(list.key);
    return isComplete;
  }

  /** Records that the users of a list are about to be erased. Returns false if another process has changed its state. */
  beginUndoing(list: StoredEntry<UserList>): Promise<boolean> {
    return this.store.put({ ...list, value: { ...list.value, state: 'undoing' } }, list.version);
  }

  async forget(key: string): Promise<void> {
    await this.store.delete(key);
  }
}
