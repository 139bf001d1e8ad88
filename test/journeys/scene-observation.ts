import { expect } from '@jest/globals';
import * as oauth from 'openid-client';
import { caller } from '../servers/calling.js';
import { connectAs, FIRST_PASSWORD, NEW_PASSWORD, SCENE_TENANT, type AccountsScene, type SceneHost } from './accounts-scene.js';

/** Sign-ins with their expected statuses. */
const SIGN_INS = [
  { username: 'scene-ann', password: FIRST_PASSWORD, status: 201 },
  { username: 'scene-rob', password: NEW_PASSWORD, status: 201 },
  { username: 'scene-rob', password: FIRST_PASSWORD, status: 401 },
  { username: 'scene-bob', password: NEW_PASSWORD, status: 401 },
  { username: 'scene-cleo', password: FIRST_PASSWORD, status: 201 },
  { username: 'scene-dan', password: FIRST_PASSWORD, status: 401 },
  { username: 'scene-eve', password: FIRST_PASSWORD, status: 401 },
  { username: 'scene-tom', password: FIRST_PASSWORD, status: 401 },
  { username: 'scene-tom', password: FIRST_PASSWORD, tenant: SCENE_TENANT, status: 201 },
];

const statusesOf = async (url: string, tokens: Readonly<Record<string, string>>): Promise<Readonly<Record<string, number>>> => {
  const statuses: Record<string, number> = {};
  for (const [name, token] of Object.entries(tokens)) statuses[name] = (await caller(url, token)('GET', '/v1/users/me')).status;
  return statuses;
};

/** Returns an object with the names of `names`, in which each name has this value. */
const each = (names: object, value: number) => Object.fromEntries(Object.keys(names).map((name) => [name, value]));

/**
 * Checks the sign-ins and tokens of a scene. Returns everything else that the service shows of the scene: accounts,
 * sessions, keys, clients and the introspection of each token. This function leaves the scene unchanged, so that the
 * results for two services can be compared.
 */
export const observeScene = async ({ url, operator }: SceneHost, scene: AccountsScene): Promise<Readonly<Record<string, unknown>>> => {
  const seen: Record<string, unknown> = {};
  const ids = Object.values(scene.users);
  const addresses = ids.flatMap((id) => [`/v1/ops/users/${id}`, `/v1/ops/users/${id}/sessions`]);
  for (const address of [...addresses, '/v1/ops/keys', '/v1/ops/clients', '/oauth/jwks'])
    for (const tenant of [undefined, SCENE_TENANT]) {
      const { status, headers, json } = await caller(url, operator)('GET', address, { tenant });
      seen[`${address} ${tenant ?? ''}`] = { status, etag: headers.etag, json };
    }
  const config = await connectAs(url, scene.reader);
  for (const token of [scene.grantToken, ...Object.values({ ...scene.validTokens, ...scene.endedTokens, ...scene.refreshTokens })])
    seen[token] = await oauth.tokenIntrospection(config, token);
  await expectSignIns(url);
  expect(await statusesOf(url, scene.validTokens)).toEqual(each(scene.validTokens, 200));
  expect(await statusesOf(url, scene.endedTokens)).toEqual(each(scene.endedTokens, 401));
  return seen;
};

/** Tries each of the sign-ins, and ends each session that a sign-in has created. */
const expectSignIns = async (url: string): Promise<void> => {
  for (const { username, password, tenant, status } of SIGN_INS) {
    const { status: actual, json } = await caller(url)('POST', '/v1/auth/tokens', { body: { username, password }, tenant });
    expect([username, password, tenant, actual]).toEqual([username, password, tenant, status]);
    if (actual === 201)
      expect((await caller(url, String(json['token']))('DELETE', '/v1/auth/tokens/current', { tenant })).status).toBe(204);
  }
};

/**
 * Uses the refresh tokens of a scene. The unused token must work, and the revoked and the used token must be rejected. Because
 * the used token is sent again, its grant must end. Call this function once for a scene: afterwards no refresh token is valid.
 */
export const useRefreshTokens = async (url: string, { app, refreshTokens, grantToken }: AccountsScene): Promise<void> => {
  const config = await connectAs(url, app);
  const { access_token: access } = await oauth.refreshTokenGrant(config, refreshTokens.unused);
  const grant = { grantToken, access };
  expect(await statusesOf(url, grant)).toEqual(each(grant, 200));
  for (const token of [refreshTokens.revoked, refreshTokens.used])
    await expect(oauth.refreshTokenGrant(config, token)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await statusesOf(url, grant)).toEqual(each(grant, 401));
};
