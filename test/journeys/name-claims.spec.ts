import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEmbeddedStore, type EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { createLog } from '../../apps/petstore/logging/log.js';
import { start } from '../../apps/petstore/start.js';
import { USERS } from '../../libs/application/aggregates.js';
import { isStillAt } from '../../libs/application/precondition.js';
import { commandContext } from '../../libs/application/request.js';
import { NameClaims } from '../../libs/application/users/names/name-claims.js';
import type { UserId } from '../../libs/domain/ids.js';
import { isRejection } from '../../libs/eventsourcing/decider.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';

const CONTEXT = commandContext({ tenant: 'shared', actor: 'anna', requestId: 'r' });
const NAMES = { usernameDigest: 'a'.repeat(64), emailDigest: 'b'.repeat(64) };
const OTHER_EMAIL = { ...NAMES, emailDigest: 'c'.repeat(64) };
const TAKEN = { rejected: 'name_taken', fields: ['username', 'email'] };
const profile = { username: 'ann', email: 'ann@example.com' };

/** Proves contract 30.2. */
describe('the names of accounts', () => {
  const clock = manualClock('2026-01-02T03:04:05Z');
  let store: EmbeddedStore;
  let aggregates: Aggregates;
  let claims: NameClaims;
  let ann: UserId;
  let bob: UserId;
  beforeEach(async () => {
    store = await openEmbeddedStore({ directory: ':memory:', log: createLog('silent'), clock });
    aggregates = new Aggregates(store.store, store.codec);
    claims = new NameClaims({ aggregates, clock });
    [ann, bob] = [store.ids.next(), store.ids.next()] as [UserId, UserId];
  });
  afterEach(() => store.close());

  const register = async (userId: UserId, names = NAMES, loaded = aggregates.load(USERS, userId)) => {
    const given = await loaded;
    const command = { type: 'CreateUser', data: { userId, profile, names, isStaff: false, credentialId: 'c1' } } as const;
    return aggregates.handle(USERS, userId, command, CONTEXT, { loaded: given, precondition: isStillAt(given) });
  };

  it('cannot be claimed by another account while their account uses them', async () => {
    await claims.claim(ann, NAMES, null, CONTEXT);
    await register(ann);
    clock.advance(3_600_000);
    expect(await claims.claim(bob, NAMES, null, CONTEXT)).toEqual(TAKEN);
  });

  it('cannot be claimed by another account while a registration with them is running', async () => {
    await claims.claim(ann, NAMES, null, CONTEXT);
    clock.advance(9_999);
    expect(await claims.claim(bob, NAMES, null, CONTEXT)).toEqual(TAKEN);
  });

  it('can be claimed by another account 10 s after a registration with them was interrupted', async () => {
    await claims.claim(ann, NAMES, null, CONTEXT);
    clock.advance(10_000);
    expect(isRejection(await claims.claim(bob, NAMES, null, CONTEXT))).toBe(false);
    expect(isRejection(await register(bob))).toBe(false);
  });

  it('do not belong to a slow registration whose claim has expired', async () => {
    const loaded = aggregates.load(USERS, ann);
    await loaded;
    await claims.claim(ann, NAMES, null, CONTEXT);
    clock.advance(10_000);
    await claims.claim(bob, NAMES, null, CONTEXT);
    await register(bob);
    expect(await register(ann, NAMES, loaded)).toEqual({ rejected: 'precondition_failed' });
    expect(await claims.claim(ann, NAMES, null, CONTEXT)).toEqual(TAKEN);
  });

  it('are not claimed at all if another account has one of them', async () => {
    await claims.claim(ann, OTHER_EMAIL, null, CONTEXT);
    await register(ann, OTHER_EMAIL);
    const third = { ...OTHER_EMAIL, usernameDigest: 'd'.repeat(64) };
    expect(await claims.claim(bob, third, null, CONTEXT)).toEqual({ rejected: 'name_taken', fields: ['email'] });
    expect(isRejection(await claims.claim(store.ids.next() as UserId, { ...third, emailDigest: 'e'.repeat(64) }, null, CONTEXT))).toBe(
      false,
    );
  });

  it('stay claimed if the account claims them again before one of its earlier changes tries to free them', async () => {
    await claims.claim(ann, NAMES, null, CONTEXT);
    const held = await claims.held(NAMES, null);
    await claims.claim(ann, NAMES, null, CONTEXT);
    await claims.free(ann, held, CONTEXT);
    expect(await claims.claim(bob, NAMES, null, CONTEXT)).toEqual(TAKEN);
    await claims.free(ann, await claims.held(NAMES, null), CONTEXT);
    expect(isRejection(await claims.claim(bob, NAMES, null, CONTEXT))).toBe(false);
  });

  describe('of an older form', () => {
    let directory: string;
    beforeEach(async () => {
      await store.close();
      directory = await mkdtemp(join(tmpdir(), 'petstore-names-'));
      store = await openEmbeddedStore({ directory, log: createLog('silent'), clock });
      aggregates = new Aggregates(store.store, store.codec);
      await register(ann);
    });
    afterEach(() => rm(directory, { recursive: true }));
    const startAgain = () => start(parseSettings({ DATA_DIR: directory, PORT: '0' }), createLog('silent'));

    it('are claimed in the current form by the next start', async () => {
      await store.close();
      const running = await startAgain();
      const body = { username: 'ANN', email: 'other@example.com', password: 'correct horse battery' };
      const { status } = await fetch(`${running.url}/v1/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      await running.stop();
      expect(status).toBe(409);
    });

    it('make the start fail if two accounts have the same name, with the ids of both', async () => {
      await register(bob, OTHER_EMAIL);
      await store.close();
      await expect(startAgain()).rejects.toThrow(`the accounts ${ann} and ${bob} have the same name`);
    });
  });
});
