import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { USERS } from '../../libs/application/aggregates.js';
import { CreateUser, DeleteUser, deleteUser, UpdateUser, updateUser } from '../../libs/application/users/user.commands.js';
import { Credentials, CREDENTIALS } from '../../libs/application/users/credentials.js';
import { isRejection } from '../../libs/eventsourcing/decider.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import type { KeyVault } from '../../libs/eventsourcing/ports/key-vault.port.js';
import { countingHasher } from '../http/counting-hasher.js';
import { registering } from './registering.js';

const REQUEST = { tenant: 'shared', actor: 'anonymous', requestId: 'r' };
const PROFILE = { username: 'ann', email: 'ann@example.com' };

/** Proves contract 30.6. */
describe('an account that is erased while another request', () => {
  let store: EmbeddedStore;
  let aggregates: Aggregates;
  beforeEach(async () => {
    store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent'), passwords: countingHasher() });
    aggregates = new Aggregates(store.store, store.codec);
  });
  afterEach(() => store.close());

  const create = (
    { documents }: { readonly documents: Documents } = store,
    idempotencyKey?: string,
    password = 'correct horse battery',
  ) => {
    const request = { ...REQUEST, ...(idempotencyKey !== undefined && { idempotencyKey }) };
    return registering(store, aggregates, { documents })(new CreateUser(PROFILE, password, request));
  };
  const created = async (idempotencyKey?: string): Promise<string> => {
    const result = await create(store, idempotencyKey);
    if (isRejection(result)) throw new Error(result.rejected);
    return result.id;
  };
  const hashesOf = async (id: string) =>
    (await store.documents.find(CREDENTIALS, { where: { stored: id }, sort: ['stored'], limit: 10, offset: 0 })).map(({ json }) => json);
  const erase = async (id: string): Promise<void> => {
    expect(await deleteUser({ ...store, aggregates }, new DeleteUser(id, REQUEST))).toBeNull();
  };

  it('changes it is not found by that request', async () => {
    const id = await created();
    const { keys } = store;
    let erasure: Promise<void> | undefined;
    // Erases the account when the request first needs the key of the profile, that is, after it has loaded the account.
    const erasing: KeyVault = {
      serviceKey: (name) => keys.serviceKey(name),
      destroyPersonalKey: (subject) => keys.destroyPersonalKey(subject),
      async personalKey(subject) {
        await (erasure ??= erase(id));
        return keys.personalKey(subject);
      },
    };
    const ports = { ...store, aggregates, keys: erasing };
    const outcome = await updateUser(ports, new UpdateUser(id, { firstName: 'Ann' }, undefined, REQUEST));
    expect(outcome).toEqual({ rejected: 'user_not_found' });
  });

  it('repeats its registration leaves no hash of its password', async () => {
    const { documents } = store;
    let id = '';
    // Just before this request stores its hash, another one with the same key registers the account. Then it is erased.
    const interrupted: Documents = Object.assign(Object.create(documents) as Documents, {
      async apply(...args: Parameters<Documents['apply']>) {
        if (id === '') {
          id = await created('key');
          await erase(id);
        }
        return documents.apply(...args);
      },
    });
    expect(await create({ documents: interrupted }, 'key')).toEqual({ rejected: 'user_erased' });
    const { state } = await aggregates.load(USERS, id);
    expect(state.kind).toBe('erased');
    expect(await hashesOf(id)).toEqual([]);
  });

  it('repeats an interrupted registration with another password has only that password', async () => {
    const { documents } = store;
    // The process is killed after it has stored the hash.
    const killed: Documents = Object.assign(Object.create(documents) as Documents, {
      async apply(...args: Parameters<Documents['apply']>) {
        await documents.apply(...args);
        throw new Error('killed');
      },
    });
    await expect(create({ documents: killed }, 'key')).rejects.toThrow('killed');
    const result = await create(store, 'key', 'another horse battery');
    if (isRejection(result)) throw new Error(result.rejected);
    const { state } = await aggregates.load(USERS, result.id);
    const credentialId = state.kind === 'registered' ? state.credentialId : null;
    expect(await new Credentials(documents).passwordHash(result.id, credentialId)).toBe('hash of another horse battery');
  });
});

/** Proves contract 30.9: each start repeats the request of the first one, also after an update. */
describe('the first staff account', () => {
  it('has a request whose digest is that of earlier versions: it covers the profile alone', async () => {
    const store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent'), passwords: countingHasher() });
    const bodies: unknown[] = [];
    const identities: typeof store.identities = {
      of(operation, request, body) {
        if (operation === 'createStaffAccount') bodies.push(body);
        return store.identities.of(operation, request, body);
      },
    };
    await registering(store, undefined, { identities })(
      new CreateUser(PROFILE, 'correct horse battery', REQUEST, { operation: 'createStaffAccount', isStaff: true }),
    );
    await store.close();
    expect(bodies).toEqual([PROFILE]);
  });
});
