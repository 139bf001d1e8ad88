import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { USERS } from '../../libs/application/aggregates.js';
import { Numbers } from '../../libs/application/numbers/numbers.js';
import { commandContext } from '../../libs/application/request.js';
import { CreateUsers, createUsers } from '../../libs/application/users/lists/create-users.js';
import { settleUserList, startSettlingUserLists } from '../../libs/application/users/lists/settle-user-list.js';
import { USER_LISTS, UserLists } from '../../libs/application/users/lists/user-lists.js';
import type { UserId } from '../../libs/domain/ids.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import { StoreUnavailable } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import { countingHasher } from '../http/counting-hasher.js';
import { override } from '../../libs/eventsourcing/testing/override.js';

const REQUEST = { tenant: 'shared', actor: 'anonymous', requestId: 'r' };
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const inputOf = (username: string) => ({
  profile: { username, email: `${username}@example.com` },
  password: 'correct horse battery',
});

/** Proves contract 39.7. */
describe('a list of users whose creation was interrupted', () => {
  const clock = manualClock('2026-01-02T03:04:05Z');
  let store: EmbeddedStore;
  let aggregates: Aggregates;
  let lists: UserLists;
  let ids: readonly UserId[];
  let stop: () => Promise<void>;
  beforeEach(async () => {
    store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent'), clock, passwords: countingHasher() });
    aggregates = new Aggregates(store.store, store.codec);
    lists = new UserLists(store.documents, clock);
    ids = Array.from({ length: 3 }, () => store.ids.next() as UserId);
    stop = startSettlingUserLists({
      ...{ clock, documents: store.documents },
      execute: async ({ data }, context) => {
        await settleUserList({ ...store, aggregates }, data.listId, context);
        return null;
      },
      onError: (error) => {
        throw error;
      },
    });
  });
  afterEach(async () => {
    await stop();
    await store.close();
  });

  const register = async (userId: UserId): Promise<void> => {
    const profile = { username: userId, email: `${userId}@example.com` };
    const names = { usernameDigest: userId, emailDigest: userId };
    const command = { type: 'CreateUser', data: { userId, profile, names, isStaff: false, credentialId: 'c1' } } as const;
    await aggregates.handle(USERS, userId, command, commandContext(REQUEST));
  };
  const kinds = () => Promise.all(ids.map(async (id) => (await aggregates.load(USERS, id)).state.kind));
  const remembered = () => store.documents.count(USER_LISTS, {});
  /** Lets time pass until the condition holds. */
  const wait = (what: string, condition: () => Promise<boolean>) =>
    eventually(what, async () => {
      clock.advance(15 * SECOND);
      return condition();
    });

  it('is undone after a minute, and also what its request registers after that', async () => {
    await lists.begin(ids, REQUEST.tenant);
    for (const userId of [ids[0], ids[1]]) await register(userId);
    const begun = clock.now().getTime();
    await wait('two users to be erased', async () => String(await kinds()) === 'erased,erased,unregistered');
    expect(clock.now().getTime() - begun).toBeGreaterThanOrEqual(MINUTE);
    await register(ids[2]);
    await wait('all users to be erased', async () => String(await kinds()) === 'erased,erased,erased');
    await wait('the list to be forgotten', async () => (await remembered()) === 0);
  });

  it('is kept if all users were registered, even if one was erased since then', async () => {
    await lists.begin(ids, REQUEST.tenant);
    for (const userId of ids) await register(userId);
    await aggregates.handle(USERS, ids[1], { type: 'DeleteUser', data: { userId: ids[1] } }, commandContext(REQUEST));
    await wait('the list to be forgotten', async () => (await remembered()) === 0);
    expect(await kinds()).toEqual(['registered', 'erased', 'registered']);
  });

  type Interference = {
    /** Runs after the list is stored, and before the first user is registered. */
    readonly onStored?: () => Promise<unknown>;
    readonly registering?: Aggregates;
    /** Runs before each erasure of the request. */
    readonly onErasure?: () => void;
  };

  /** Creates two users. */
  const create = ({ onStored = async () => undefined, registering = aggregates, onErasure = () => undefined }: Interference = {}) => {
    const documents = override<Documents>(store.documents, {
      apply: async (changes) => {
        const isApplied = await store.documents.apply(changes);
        if (changes.some((change) => change.kind === 'put' && change.collection === USER_LISTS && change.expected === 'none'))
          await onStored();
        return isApplied;
      },
    });
    const handle: Aggregates['handle'] = async (aggregate, id, command, ...rest) => {
      if (command.type === 'DeleteUser') onErasure();
      return registering.handle(aggregate, id, command, ...rest);
    };
    const erasing = { load: registering.load.bind(registering), handle } as unknown as Aggregates;
    const ports = { ...store, aggregates: erasing, documents, clock, numbers: new Numbers(aggregates) };
    return createUsers(ports, new CreateUsers([inputOf('ann'), inputOf('bob')], REQUEST));
  };
  const accounts = async () =>
    (await store.documents.find(USERS.projection.collection, { where: {}, sort: [], limit: 10, offset: 0 })).length;

  it('leaves no user and no list if it is undone while its request still runs', async () => {
    const undo = async (): Promise<void> => {
      const [list] = await lists.beginningBy(clock.now(), 1);
      if (list) await lists.beginUndoing(list);
    };
    expect(await create({ onStored: undo })).toEqual({ rejected: 'contended' });
    expect([await accounts(), await remembered()]).toEqual([0, 0]);
  });

  it('is undone later if its request fails after the last append, and can erase only its first user', async () => {
    let [registrations, erasures] = [0, 0];
    const fail = (count: number): void => {
      if (count === 2) throw new StoreUnavailable('the store is down');
    };
    const handle: Aggregates['handle'] = async (aggregate, id, command, ...rest) => {
      const outcome = await aggregates.handle(aggregate, id, command, ...rest);
      if (command.type === 'CreateUser') fail(++registrations);
      return outcome;
    };
    const registering = { load: aggregates.load.bind(aggregates), handle } as unknown as Aggregates;
    await expect(create({ registering, onErasure: () => fail(++erasures) })).rejects.toThrow('the store is down');
    expect(await accounts()).toBe(1);
    await wait('the second user to be erased', async () => (await accounts()) === 0);
  });

  it('leaves no list if nothing interrupts it', async () => {
    expect(await create()).toEqual([1, 2]);
    expect(await remembered()).toBe(0);
  });
});
