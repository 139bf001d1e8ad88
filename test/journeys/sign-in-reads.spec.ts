import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { USERNAMES, USERS } from '../../libs/application/aggregates.js';
import { commandContext } from '../../libs/application/request.js';
import { CreateUser } from '../../libs/application/users/user.commands.js';
import { createNameDigests } from '../../libs/application/users/names/name-digests.js';
import { UNLIMITED_ATTEMPTS } from '../../libs/application/sessions/sign-in-attempts.js';
import { CheckPassword, CheckPasswordHandler, type PasswordCheck } from '../../libs/application/sessions/sign-in.query.js';
import type { UserId } from '../../libs/domain/ids.js';
import { isRejection } from '../../libs/eventsourcing/decider.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import type { EventStore } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Writers } from '../../libs/eventsourcing/streams/stream-knowledge.js';
import { countingHasher } from '../http/counting-hasher.js';
import { registering } from './registering.js';
import { override } from '../../libs/eventsourcing/testing/override.js';

const REQUEST = { tenant: 'shared', actor: 'anonymous', requestId: 'r' };
const PASSWORD = 'correct horse battery';

/** Proves contract 30.7. */
describe('checking a password', () => {
  let store: EmbeddedStore;
  beforeEach(async () => {
    store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent'), passwords: countingHasher() });
  });
  afterEach(() => store.close());

  const create = async (username: string): Promise<string> => {
    const result = await registering(store)(new CreateUser({ username, email: `${username}@example.com` }, PASSWORD, REQUEST));
    if (isRejection(result)) throw new Error(result.rejected);
    return result.id;
  };

  /** Checks a password without cached streams. Returns the kind of the result, and the category of each stream that was read. */
  const check = async (
    writers: Writers,
    username: string,
    password = PASSWORD,
  ): Promise<readonly [PasswordCheck['kind'], readonly string[]]> => {
    const { documents, keys, passwords, codec, clock } = store;
    const read: string[] = [];
    const readStream: EventStore['readStream'] = (stream, from, limit) => {
      read.push(stream.slice(0, stream.indexOf('-')));
      return store.store.readStream(stream, from, limit);
    };
    const aggregates = new Aggregates(override(store.store, { readStream }), codec, writers);
    const handler = new CheckPasswordHandler(aggregates, documents, keys, passwords, clock, UNLIMITED_ATTEMPTS);
    return [(await handler.execute(new CheckPassword(username, password, REQUEST.tenant, '203.0.113.1'))).kind, read];
  };

  it.each([
    ['an embedded store', 'this process'],
    ['servers', 'many processes'],
  ] as const)('reads the claim of the name and the account once, and as much for a name that nobody uses, on %s', async (_, writers) => {
    await create('ann');
    const bob = (await create('bob')) as UserId;
    const aggregates = new Aggregates(store.store, store.codec);
    await aggregates.handle(USERS, bob, { type: 'DisableUser', data: { userId: bob } }, commandContext(REQUEST));
    const claimed = (await createNameDigests(store.keys)).username(REQUEST.tenant, 'claimed');
    const claim = { type: 'ClaimName', data: { userId: store.ids.next() as UserId } } as const;
    await aggregates.handle(USERNAMES, claimed, claim, commandContext(REQUEST));
    const reads = ['username', 'user'];
    expect(await check(writers, 'ann')).toEqual(['correct', reads]);
    for (const [username, password] of [['ann', 'wrong'], ['bob'], ['claimed'], ['unknown']] as const)
      expect([username, ...(await check(writers, username, password))]).toEqual([username, 'wrong', reads]);
  });
});
