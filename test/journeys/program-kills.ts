import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import * as oauth from 'openid-client';
import type { RegisteredClient } from '../http/oauth-people.js';
import { caller } from '../servers/calling.js';
import { connectAs, type SceneHost } from './accounts-scene.js';

/** Registers a program with the scope ops. */
export const addProgram = async ({ url, operator }: SceneHost): Promise<RegisteredClient> => {
  const body = { name: 'Stock sync', program: true, scopes: ['ops'] };
  const { status, text, json } = await caller(url, operator)('POST', '/v1/ops/clients', { body });
  if (status !== 201) throw new Error(`${status}: ${text}`);
  return json as unknown as RegisteredClient;
};

const tokenOf = async (url: string, program: RegisteredClient): Promise<string> =>
  (await oauth.clientCredentialsGrant(await connectAs(url, program))).access_token;

const statusOf = async (url: string, token: string): Promise<number> => (await caller(url, token)('GET', '/v1/ops/clients')).status;

const GRANTS = 4;

/**
 * Gets tokens of a program, rotates its secret and removes another program, all at the same time, while the service is killed. Returns
 * a function that checks the service at another address after the kill, and returns the program with its new secret.
 */
export const useProgram = async ({ url, operator }: SceneHost, program: RegisteredClient) => {
  const removed = await addProgram({ url, operator });
  const ended = await tokenOf(url, removed);
  const idempotencyKey = randomUUID();
  const rotate = (to: string) => caller(to, operator)('POST', `/v1/ops/clients/${program.id}/secret`, { idempotencyKey });
  const remove = (to: string) => caller(to, operator)('DELETE', `/v1/ops/clients/${removed.id}`);
  const tokens = Array.from({ length: GRANTS }, () => tokenOf(url, program).catch(() => null));
  const sent = Promise.all([Promise.all(tokens), rotate(url).catch(() => null), remove(url).catch(() => null)]);

  return async (after: string): Promise<RegisteredClient> => {
    const [given, rotation, removal] = await sent;
    for (const token of given) if (token !== null) expect(await statusOf(after, token)).toBe(200);
    const repeated = await rotate(after);
    expect(repeated.status).toBe(200);
    if (rotation) expect(repeated.json['secret']).toBe(rotation.json['secret']);
    const rotated = { ...program, secret: repeated.json['secret'] as string };
    for (const secret of [program, rotated]) expect(await statusOf(after, await tokenOf(after, secret))).toBe(200);
    if (removal) expect([removal.status, await statusOf(after, ended)]).toEqual([204, 401]);
    expect(removal ? [404] : [204, 404]).toContain((await remove(after)).status);
    expect(await statusOf(after, ended)).toBe(401);
    await expect(tokenOf(after, removed)).rejects.toMatchObject({ status: 401 });
    return rotated;
  };
};
