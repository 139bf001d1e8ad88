import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';
import * as oauth from 'openid-client';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { itOnOwnPetstore, startOwnPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { stopByClock } from '../stop-by-clock.js';
import { countingHasher } from './counting-hasher.js';
import { createPerson, discover, PASSWORD, type RegisteredClient } from './oauth-people.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * A resource server that keeps the published keys for as long as `Cache-Control` says, and never longer or shorter: it does not read them
 * again for a token with an unknown key.
 */
const resourceServer = (url: string, clock: ManualClock) => {
  let kept: { readonly keys: JSONWebKeySet; readonly until: number } | null = null;
  return async (token: string): Promise<string> => {
    if (!kept || kept.until <= clock.elapsed()) {
      const response = await fetch(`${url}/oauth/jwks`);
      const [, seconds] = /max-age=(\d+)/.exec(response.headers.get('cache-control') ?? '') ?? [];
      kept = { keys: (await response.json()) as JSONWebKeySet, until: clock.elapsed() + Number(seconds) * SECOND };
    }
    const options = { issuer: url, audience: 'petstore', currentDate: clock.now() };
    return (await jwtVerify(token, createLocalJWKSet(kept.keys), options)).protectedHeader.kid ?? '';
  };
};

/** Proves contract 31.2. */
describe('resource servers that keep the keys for five minutes', () => {
  let clock: ManualClock;
  let store: TestPetstore;
  beforeAll(async () => {
    clock = manualClock(new Date().toISOString());
    store = await startOwnPetstore({}, { clock, passwords: countingHasher() });
  });
  afterAll(() => stopByClock(clock, store));

  itOnOwnPetstore('accept every token of people and of programs through two rotations', async () => {
    const operator = await store.token('ops read:pets', { expiresIn: 86_400 });
    const operate = <T>(path: string, body?: object) => store.request<T>('POST', path, { token: operator, ...(body && { body }) });
    const { json: program } = await operate<RegisteredClient>('/v1/ops/clients', { name: 'Sync', program: true, scopes: ['read:pets'] });
    const { username } = await createPerson(store);
    const config = await discover(store, program);
    const issue = async () => [
      (await oauth.clientCredentialsGrant(config)).access_token,
      (await store.request<{ token: string }>('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } })).json.token,
    ];
    // Each reads the keys at another minute, so that one has read them just before each rotation and each activation.
    const servers = Array.from({ length: 5 }, () => resourceServer(store.url, clock));
    const keysOfMinutes: string[] = [];
    for (let minute = 0; minute < 40; minute++) {
      for (const token of await issue()) for (const accepts of servers.slice(0, minute + 1)) keysOfMinutes[minute] = await accepts(token);
      if (minute === 2 || minute === 18) expect((await operate('/v1/ops/keys/rotation')).status).toBe(200);
      clock.advance(MINUTE);
    }
    const changes = keysOfMinutes.flatMap((kid, minute) => (minute > 0 && kid !== keysOfMinutes[minute - 1] ? [minute] : []));
    expect([changes, new Set(keysOfMinutes).size]).toEqual([[12, 28], 3]);
  });
});
