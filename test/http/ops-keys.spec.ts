import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader } from 'jose';
import { publicKeysOf, type PublicJwk } from '../../libs/audit/keys/public-keys.js';
import { forgeryOf } from '../../libs/audit/verify/genuine-checkpoints.js';
import type { KeyView } from '../../libs/application/keys/service-keys.js';
import type { SignedCheckpoint } from '../../libs/domain/checkpoints/checkpoint.events.js';
import { eventually } from '../eventually.js';
import { startServiceWithTwoApis, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import type { Page } from './shop.js';

const TENANT = '0190a000-0000-7000-8000-000000000001';
const THUMBPRINT = /^[\w-]{43}$/;

let service: TestPetstore;
let other: TestPetstore;
let ops: string;
beforeAll(async () => {
  [service, other] = await startServiceWithTwoApis();
  ops = await service.token('ops');
});
afterAll(async () => {
  await other.stop();
  if (other !== service) await service.stop();
});

const list = async (on = service): Promise<readonly KeyView[]> =>
  (await on.request<Page<KeyView>>('GET', '/v1/ops/keys?limit=100', { token: ops })).json.data;
const signing = (keys: readonly KeyView[]): readonly KeyView[] => keys.filter(({ kind }) => kind === 'token-signing');
const rotate = (idempotencyKey?: string, query = '?now=true') =>
  service.request<KeyView>('POST', `/v1/ops/keys/rotation${query}`, { token: ops, ...(idempotencyKey && { idempotencyKey }) });
const published = async (on = service): Promise<readonly string[]> =>
  (await on.request<{ keys: readonly { kid: string }[] }>('GET', '/oauth/jwks')).json.keys.map(({ kid }) => kid);
const kidOf = (token: string): string => String(decodeProtectedHeader(token).kid);

const rotateCheckpoints = (idempotencyKey?: string) =>
  service.request<KeyView>('POST', '/v1/ops/keys/rotation?kind=checkpoint-signing', {
    token: ops,
    ...(idempotencyKey && { idempotencyKey }),
  });

const remove = (kid: string) => service.request('DELETE', `/v1/ops/keys/${kid}`, { token: ops });
/** Creates an account. Returns a function that signs in to it. */
const createAccount = async (): Promise<() => Promise<string>> => {
  const account = { username: `ann-${randomUUID()}`, password: 'correct horse battery' };
  await service.request('POST', '/v1/users', { body: { ...account, email: `${account.username}@example.com` } });
  return async () => (await service.request<{ token: string }>('POST', '/v1/auth/tokens', { body: account })).json.token;
};

/** Proves contract 31.3. */
describe('the keys of the service', () => {
  it('are listed with the keys for tokens first, and without secrets', async () => {
    const keys = await list();
    expect(keys[0]).toEqual({
      id: expect.stringMatching(THUMBPRINT),
      kind: 'token-signing',
      createdAt: expect.any(String),
      status: 'current',
    });
    expect(keys.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['callback-signing', 'idempotency', 'webhook-secrets']));
    const names = ['id', 'kind', 'createdAt', 'activatesAt', 'status'];
    for (const key of keys) expect(Object.keys(key).filter((name) => !names.includes(name))).toEqual([]);
  });

  it('are listed in pages', async () => {
    const all = await list();
    const { json } = await service.request<Page<KeyView>>('GET', '/v1/ops/keys?limit=1&page=2', { token: ops });
    expect(json.data).toEqual([all[1]]);
    expect(json.pagination).toMatchObject({ totalItems: all.length });
  });

  it('are only for operators whose token has no tenant', async () => {
    for (const [method, path] of [
      ['GET', '/v1/ops/keys'],
      ['POST', '/v1/ops/keys/rotation'],
      ['DELETE', `/v1/ops/keys/${(await list())[0]?.id}`],
    ] as const) {
      expectProblem(await service.request(method, path), 401, 'unauthorized');
      const staff = await service.token('read:pets write:pets write:orders write:webhooks');
      expectProblem(await service.request(method, path, { token: staff }), 403, 'forbidden');
      expectProblem(await service.request(method, path, { token: await service.token('ops', { tenant: TENANT }) }), 403, 'forbidden');
    }
  });
});

/** Proves contract 31.2 and contract 31.3. */
describe('a rotation', () => {
  it('adds a current key and keeps the former ones', async () => {
    const before = signing(await list());
    const { status, json } = await rotate();
    expect(status).toBe(200);
    expect(signing(await list())).toEqual([json, ...before.map((key) => ({ ...key, status: 'former' }))]);
  });

  it('is made once for one Idempotency-Key', async () => {
    const key = randomUUID();
    const first = await rotate(key);
    const replayed = await rotate(key);
    expect([first.headers['idempotent-replayed'], replayed.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(replayed.json).toEqual(first.json);
    await rotate();
    expect((await rotate(key)).json).toEqual({ ...first.json, status: 'former' });
  });

  it('keeps earlier tokens valid; new tokens have the new kid', async () => {
    const signIn = await createAccount();
    const before = await signIn();
    const { json } = await rotate();
    const after = await signIn();
    expect([kidOf(after), kidOf(before) === json.id]).toEqual([json.id, false]);
    for (const token of [before, after])
      for (const on of [service, other]) expect((await on.request('GET', '/v1/inventories', { token })).status).toBe(200);
  });

  it('reaches every process', async () => {
    const { json } = await rotate();
    await eventually('the new key in the other process', async () => signing(await list(other))[0]?.id === json.id);
  });
});

/** Proves contract 31.2. */
describe('a rotation without now=true', () => {
  it('announces a key everywhere, which does not sign yet; a second rotation is 409 until the key signs or is removed', async () => {
    const signIn = await createAccount();
    const [current] = signing(await list());
    const { status, json } = await rotate(undefined, '');
    expect([status, json]).toEqual([
      200,
      {
        id: expect.any(String),
        kind: 'token-signing',
        createdAt: expect.any(String),
        activatesAt: expect.any(String),
        status: 'announced',
      },
    ]);
    const announced = Date.parse(json.activatesAt ?? '') - Date.parse(json.createdAt ?? '');
    // The time of creation is later than the clock if a former key was created in the same millisecond.
    expect([announced > 599_000, announced <= 600_000]).toEqual([true, true]);
    expect(signing(await list()).slice(0, 2)).toEqual([json, current]);
    for (const on of [service, other])
      await eventually('the announced key in every published set', async () => (await published(on)).includes(json.id));
    expect([(await published())[0], kidOf(await signIn())]).toEqual([current?.id, current?.id]);
    const second = await rotate(undefined, '');
    expectProblem(second, 409, 'conflict');
    expect(second.text).toContain('now=true');
    expect((await remove(json.id)).status).toBe(204);
    expect((await rotate(undefined, '')).json.status).toBe('announced');
    const now = await rotate();
    expect([now.status, now.json.status, kidOf(await signIn())]).toEqual([200, 'current', now.json.id]);
  });

  it('is replayed for one Idempotency-Key, also while its key is announced', async () => {
    const key = randomUUID();
    const first = await rotate(key, '');
    const replayed = await rotate(key, '');
    expect([replayed.status, replayed.headers['idempotent-replayed'], replayed.json]).toEqual([200, 'true', first.json]);
    await rotate();
  });
});

/** Proves contract 31.2. */
describe('the published keys and the metadata', () => {
  it('may be kept for 5 minutes', async () => {
    for (const path of ['/oauth/jwks', '/.well-known/openid-configuration', '/.well-known/oauth-authorization-server']) {
      const { status, headers } = await service.request('GET', path);
      expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=300']);
    }
  });

  it('are RSA keys for RS256 only, without secrets, and the metadata name RS256', async () => {
    const { json } = await service.request<{ keys: readonly object[] }>('GET', '/oauth/jwks');
    for (const key of json.keys)
      expect(key).toEqual({ kty: 'RSA', use: 'sig', alg: 'RS256', kid: expect.any(String), n: expect.any(String), e: 'AQAB' });
    const metadata = await service.request<Record<string, unknown>>('GET', '/.well-known/openid-configuration');
    expect(metadata.json).toMatchObject({ id_token_signing_alg_values_supported: ['RS256'] });
  });
});

/** Proves contract 35.3. */
describe('a rotation of the key of checkpoints', () => {
  const checkpointKeys = (keys: readonly KeyView[]): readonly KeyView[] => keys.filter(({ kind }) => kind === 'checkpoint-signing');
  const publicKeys = async (on = service): Promise<readonly PublicJwk[]> =>
    (await on.request<{ keys: readonly PublicJwk[] }>('GET', '/v1/audit/public-keys')).json.keys;
  const makeCheckpoint = async (): Promise<SignedCheckpoint> => {
    await createAccount();
    return (await service.request<SignedCheckpoint>('POST', '/v1/audit/checkpoints', { token: ops })).json;
  };

  it('adds a key that signs the next checkpoint; the former key still verifies earlier checkpoints', async () => {
    const before = await makeCheckpoint();
    const listed = checkpointKeys(await list());
    const { status, json } = await rotateCheckpoints();
    const after = await makeCheckpoint();
    expect([status, after.checkpoint.keyId]).toEqual([200, json.id]);
    expect(checkpointKeys(await list())).toEqual([json, ...listed.map((key) => ({ ...key, status: 'former' }))]);
    for (const on of [service, other]) {
      const keys = await publicKeys(on);
      expect(keys.map(({ kid }) => kid)).toEqual([json.id, ...listed.map(({ id }) => id)]);
      expect([before, after].map((signed) => forgeryOf(publicKeysOf(keys), signed))).toEqual([null, null]);
    }
  });

  it('does not change the keys of tokens', async () => {
    const before = signing(await list());
    await rotateCheckpoints();
    expect(signing(await list())).toEqual(before);
  });

  it('is made once for one Idempotency-Key', async () => {
    const key = randomUUID();
    const first = await rotateCheckpoints(key);
    const replayed = await rotateCheckpoints(key);
    expect([replayed.headers['idempotent-replayed'], replayed.json]).toEqual(['true', first.json]);
    await rotateCheckpoints();
    expect((await rotateCheckpoints(key)).json).toEqual({ ...first.json, status: 'former' });
  });

  it('is 422 for a kind of key that cannot be rotated', async () =>
    expectProblem(await service.request('POST', '/v1/ops/keys/rotation?kind=idempotency', { token: ops }), 422, 'validation-failed', {
      kind: ['invalid_enum'],
    }));

  it('permits no removal, neither of the current key nor of a former key', async () => {
    await rotateCheckpoints();
    for (const { id } of checkpointKeys(await list())) {
      const rejection = await remove(id);
      expectProblem(rejection, 409, 'conflict');
      expect(rejection.text).toContain('never removed');
    }
  });
});

/** Proves contract 31.5. */
describe('a removal', () => {
  it('ends all tokens of the key in every process, and no other tokens', async () => {
    const signIn = await createAccount();
    await rotate();
    const leaked = await signIn();
    const { json } = await rotate();
    const after = await signIn();
    for (const on of [service, other]) expect((await on.request('GET', '/v1/inventories', { token: leaked })).status).toBe(200);
    expect((await remove(kidOf(leaked))).status).toBe(204);
    expectProblem(await service.request('GET', '/v1/inventories', { token: leaked }), 401, 'unauthorized');
    await eventually('the removal in the other process', async () => {
      const { status } = await other.request('GET', '/v1/inventories', { token: leaked });
      return status === 401;
    });
    for (const on of [service, other]) expect((await on.request('GET', '/v1/inventories', { token: after })).status).toBe(200);
    const keys = await published();
    expect(keys).toEqual(signing(await list()).map(({ id }) => id));
    expect([kidOf(after), keys.includes(kidOf(leaked))]).toEqual([json.id, false]);
    expectProblem(await remove(kidOf(leaked)), 404, 'not-found');
  });

  it.each(['token-signing', 'callback-signing'])('is rejected for the current key of kind %s, with the remedy', async (kind) => {
    const key = (await list()).find((listed) => listed.kind === kind);
    const rejection = await remove(key?.id ?? '');
    expectProblem(rejection, 409, 'conflict');
    expect(rejection.text).toContain('rotate the keys first');
    expect(await list()).toContainEqual(key);
  });

  it('is 404 for an unknown id, also for one that differs only in upper and lower case', async () => {
    const [first] = signing(await list());
    await rotate();
    const id = first?.id ?? '';
    const swapped = [...id].map((letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())).join('');
    for (const unknown of [randomUUID(), 'signing', 'A'.repeat(43), swapped]) expectProblem(await remove(unknown), 404, 'not-found');
    expect(signing(await list()).map((key) => key.id)).toContain(id);
  });
});
