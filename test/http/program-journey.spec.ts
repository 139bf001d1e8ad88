import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import * as oauth from 'openid-client';
import { eventually } from '../eventually.js';
import { startServiceWithTwoApis, type TestPetstore } from '../servers/test-petstore.js';
import { discover, type RegisteredClient } from './oauth-people.js';
import { PLAIN_PET } from './shop.js';

let apis: readonly [TestPetstore, TestPetstore];
let operator: string;
beforeAll(async () => {
  apis = await startServiceWithTwoApis();
  operator = await apis[0].token('ops write:pets read:pets');
});
afterAll(async () => {
  await apis[1].stop();
  if (apis[1] !== apis[0]) await apis[0].stop();
});

const REQUESTS = 1_000;
/** The number of requests that the program sends at a time. */
const AT_A_TIME = 10;

/** Proves contract 31.2, contract 32.4 and contract 32.9. */
describe('a program', () => {
  it('sends a thousand requests while its secret and the key of its tokens are rotated, and is rejected once it is removed', async () => {
    const operate = <T>(method: string, path: string, body?: object) =>
      apis[0].request<T>(method, path, { token: operator, ...(body && { body }) });
    const terms = { name: 'Stock sync', program: true, scopes: ['write:pets', 'read:pets'] };
    const { json: program } = await operate<RegisteredClient>('POST', '/v1/ops/clients', terms);
    let { secret = '' } = program;
    const tokenOf = async (): Promise<string> =>
      (await oauth.clientCredentialsGrant(await discover(apis[0], { ...program, secret }))).access_token;
    const rotateSecret = async (): Promise<string> =>
      (await operate<RegisteredClient>('POST', `/v1/ops/clients/${program.id}/secret`)).json.secret ?? '';
    const send = (token: string, number: number) => {
      const api = apis[number % 2 === 0 ? 0 : 1];
      return number % 50 === 0
        ? api.request('POST', '/v1/pets', { token, body: PLAIN_PET })
        : api.request('GET', '/v1/orders?limit=1', { token });
    };

    const statuses = new Map<number, number>();
    const keys = new Set<unknown>();
    let [token, next] = [await tokenOf(), secret];
    for (let sent = 0; sent < REQUESTS; sent += AT_A_TIME) {
      // The operator rotates the secret, and the program learns the new one later.
      if (sent === 200 || sent === 700) next = await rotateSecret();
      if (sent === 400 || sent === 900) secret = next;
      if (sent === 300 || sent === 800) await operate('POST', '/v1/ops/keys/rotation?now=true');
      if (sent % 100 === 50) token = await tokenOf();
      keys.add(decodeProtectedHeader(token).kid);
      const answers = await Promise.all(Array.from({ length: AT_A_TIME }, (_, index) => send(token, sent + index)));
      for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([[...statuses], keys.size]).toEqual([
      [
        [201, REQUESTS / 50],
        [200, REQUESTS - REQUESTS / 50],
      ],
      3,
    ]);

    expect((await operate('DELETE', `/v1/ops/clients/${program.id}`)).status).toBe(204);
    for (const [number] of apis.entries())
      await eventually('the end of the program in every process', async () => (await send(token, number + 1)).status === 401, 1_000);
    await expect(tokenOf()).rejects.toMatchObject({ status: 401 });
  });
});
