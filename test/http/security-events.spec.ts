import { afterEach, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { createLog } from '../../apps/petstore/logging/log.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { forgetSecurityEvents } from '../../libs/application/security/forget-security-events.js';
import type { SecurityEventData } from '../../libs/domain/security/security.decider.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { readHistory } from '../../libs/runtime/codec/verified-history.js';
import { openSealed } from '../../libs/runtime/codec/sealing.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { tokensWith } from '../../apps/petstore/composition/tokens.js';
import { eventually } from '../eventually.js';
import { caller } from '../servers/calling.js';
import { countingHasher } from './counting-hasher.js';

const PASSWORD = 'correct horse battery';
const DAY = 86_400_000;

const clock = manualClock('2026-01-02T03:04:05.678Z');
let running: RunningPetstore;
afterEach(() => running.stop());

const open = async () => {
  const settings = parseSettings({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'silent' });
  running = await start(settings, createLog('silent'), { clock, passwords: countingHasher() });
  const { store, url } = running;
  const request = caller(url);
  const body = { username: 'ann', email: 'ann@example.com', password: PASSWORD };
  const user = ((await request('POST', '/v1/users', { body })).json as { id: string }).id;
  const operator = await tokensWith(store.signingKeys, clock).sign({ subject: 'olga', scopes: ['ops'], expiresInSeconds: 3_600 });
  const events = async (day = clock.now()): Promise<readonly SecurityEventData[]> => {
    const history = await readHistory(store, `security-${day.toISOString().slice(0, 10)}`);
    return Promise.all(
      history.map(async ({ data }) => JSON.parse(await openSealed(store.keys, JSON.stringify(data))) as SecurityEventData),
    );
  };
  const signIn = async (password = PASSWORD) =>
    ((await request('POST', '/v1/auth/tokens', { body: { username: 'ann', password } })).json as { token: string }).token;
  return { url, store, user, operator, events, signIn, as: (token: string) => caller(url, token) };
};

/** Proves contract 34.1. */
describe('security events', () => {
  it('record who signed in, from where, and how many attempts failed', async () => {
    const { events, signIn, user } = await open();
    await signIn();
    await signIn('wrong password');
    const expected = { operation: 'createAuthToken', address: '127.0.0.1' };
    await eventually('both events', async () => (await events()).length === 2);
    expect(await events()).toEqual([
      { ...expected, kind: 'sign-in', actor: user },
      { ...expected, kind: 'sign-in-failed', actor: 'anonymous', status: 401, count: 1 },
    ]);
  });

  it('record grants, revocations, new passwords and new keys, each before its response', async () => {
    const { as, operator, user, events, signIn } = await open();
    const own = await signIn();
    const asOperator = as(operator);
    await asOperator('PUT', `/v1/ops/users/${user}/disabled`);
    await asOperator('PUT', `/v1/ops/users/${user}/staff`);
    await asOperator('PUT', `/v1/ops/users/${user}/password`, { body: { password: 'another horse battery' } });
    const former = decodeProtectedHeader(own).kid ?? '';
    await asOperator('POST', '/v1/ops/keys/rotation?now=true');
    expect((await asOperator('DELETE', `/v1/ops/keys/${former}`)).status).toBe(204);
    const recorded = (await events()).map(({ kind, operation, actor, target }) => [kind, operation, actor, target]);
    expect(recorded).toEqual([
      ['sign-in', 'createAuthToken', user, undefined],
      ['revocation', 'disableAccount', 'olga', user],
      ['grant', 'grantStaff', 'olga', user],
      ['password-change', 'setPassword', 'olga', user],
      ['key-change', 'rotateSigningKey', 'olga', undefined],
      ['key-change', 'removeSigningKey', 'olga', former],
    ]);
  });

  it('keep the reason in Change-Reason, which any language can be written in', async () => {
    const { url, operator, user, events } = await open();
    const disable = (reason: string) =>
      fetch(`${url}/v1/ops/users/${user}/disabled`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${operator}`, 'change-reason': reason },
      });
    expect((await disable(encodeURIComponent('läuft über 名, „wirklich“'))).status).toBe(204);
    expect((await disable('as asked')).status).toBe(204);
    expect((await events()).map(({ reason }) => reason)).toEqual(['läuft über 名, „wirklich“', 'as asked']);
    for (const wrong of ['%', '%ff', '', '%20', '%00', '\xe9', 'x'.repeat(501)]) {
      const response = await disable(wrong);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { errors: [{ field: 'Change-Reason', code: 'INVALID_FORMAT' }] },
      ]);
    }
    expect(await events()).toHaveLength(2);
  });

  it('keep no reason of a person who changes their own account, because it would outlive an erasure', async () => {
    const { url, user, events, signIn } = await open();
    const headers = { authorization: `Bearer ${await signIn()}`, 'change-reason': 'I am Ann' };
    expect((await fetch(`${url}/v1/users/${user}`, { method: 'DELETE', headers })).status).toBe(204);
    expect((await events()).map(({ reason }) => reason)).not.toContain('I am Ann');
  });

  it('record each read of an auditor, even if the response is 304', async () => {
    const { as, store, url, user, events } = await open();
    const token = await tokensWith(store.signingKeys, clock).sign({ subject: 'olaf', scopes: ['audit:read'], expiresInSeconds: 3_600 });
    const address = `/v1/audit/users/${user}`;
    const { headers } = await as(token)('GET', address);
    const etag = String(headers.etag);
    const again = await fetch(`${url}${address}`, { headers: { authorization: `Bearer ${token}`, 'if-none-match': etag } });
    expect(again.status).toBe(304);
    expect((await as(token)('GET', `/v1/audit/streams/pet-${user}`)).status).toBe(404);
    const read = { kind: 'audit-read', operation: 'getPastUser', actor: 'olaf', address: '127.0.0.1', target: user };
    expect(await events()).toEqual([read, read]);
  });

  it('do not record a change of an account that keeps its password', async () => {
    const { as, user, events, signIn } = await open();
    const token = await signIn();
    await as(token)('PUT', `/v1/users/${user}`, { body: { firstName: 'Ann' } });
    expect((await events()).map(({ kind }) => kind)).toEqual(['sign-in']);
    await as(token)('PUT', `/v1/users/${user}`, { body: { password: 'another horse battery' } });
    expect((await events()).map(({ kind }) => kind)).toEqual(['sign-in', 'password-change']);
  });

  it('record denied requests at most once a second, with the number of requests', async () => {
    const { as, events, signIn } = await open();
    const asUser = as(await signIn());
    for (let n = 0; n < 20; n++) expect((await asUser('GET', '/v1/ops/keys')).status).toBe(403);
    clock.advance(1_000);
    await asUser('GET', '/v1/ops/keys');
    const denied = async () => (await events()).filter(({ kind }) => kind === 'request-denied');
    await eventually('the second event', async () => (await denied()).length === 2);
    expect((await denied()).map(({ count, status }) => [count, status])).toEqual([
      [1, 403],
      [20, 403],
    ]);
  });

  it('contain no password and no token', async () => {
    const { store, signIn, operator } = await open();
    const token = await signIn();
    await signIn('wrong password');
    const stored = JSON.stringify(await store.store.readAll(0, 1_000));
    for (const secret of [PASSWORD, 'wrong password', token, operator]) expect(stored).not.toContain(secret);
  });
});

/** Proves contract 34.2. */
describe('old security events', () => {
  it('no longer show who caused them, and their history stays intact', async () => {
    const { events, signIn, store } = await open();
    await signIn();
    const day = clock.now();
    const forget = () => forgetSecurityEvents({ ...store, securityLogRetentionMilliseconds: 400 * DAY });
    clock.advance(400 * DAY);
    await forget();
    expect((await events(day))[0]?.address).toBe('127.0.0.1');
    clock.advance(2 * DAY);
    await forget();
    expect((await events(day)).map(({ kind, actor, address }) => [kind, actor, address])).toEqual([['sign-in', null, null]]);
  });
});

/** Proves contract 38.1. */
describe('the security events of an applicant', () => {
  it('no longer show who caused them, once the applicant is erased', async () => {
    const { as, events, store, url } = await open();
    const staff = await tokensWith(store.signingKeys, clock).sign({ subject: 'sam', scopes: ['write:pets'], expiresInSeconds: 3_600 });
    const pet = (await as(staff)('POST', '/v1/pets', { body: { name: 'Rex', species: 'DOG', ageMonths: 3 } })).json as { id: string };
    const body = { petId: pet.id, applicant: { name: 'Ann Lee', email: 'ann@example.com' } };
    const { id, manageToken } = (await caller(url)('POST', '/v1/adoptions', { body })).json as { id: string; manageToken: string };
    expect((await as(manageToken)('GET', '/v1/ops/keys')).status).toBe(403);
    const actors = async () => (await events()).map(({ actor }) => actor);
    await eventually('the event', async () => (await actors()).includes(`adoption:${id}`));
    expect((await as(manageToken)('DELETE', `/v1/adoptions/${id}`)).status).toBe(204);
    expect(await actors()).toEqual([null]);
  });
});
