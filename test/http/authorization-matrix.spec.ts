import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it as everywhere } from '@jest/globals';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import type { HttpResponse } from '../servers/client.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { itOnAnyProfile, startTestPetstore, startStrictStore, type TestPetstore } from '../servers/test-petstore.js';
import { addClient } from './oauth-people.js';
import { ALL_SCOPES, CALLERS, expectedStatus, scopesOf, type Caller } from './callers.js';
import { addressOf, ALL_OPERATIONS, contentOf, exampleOf } from './example-requests.js';
import { addressOfKind, MAKERS, type Resource, type ResourceKind, type SendRequest, type MakerContext } from './resources.js';

/** Whether a request changes its resource. Requests that change nothing can share one resource. */
const isChange = ({ method, readsOnly }: OperationRecord): boolean => !['GET', 'QUERY'].includes(method) && !readsOnly;

let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

const asStaffOf = async (service: TestPetstore, tenant: string): Promise<SendRequest> => {
  const token = await service.token(ALL_SCOPES, { tenant });
  return (method, path, options) => service.request(method, path, { token, ...options });
};

/** Two tenants, with an account for each kind of caller. */
const openScene = async (service: TestPetstore) => {
  const [tenant, other] = [randomUUID(), randomUUID()];
  const request = await asStaffOf(service, tenant);
  const elsewhere = await asStaffOf(service, other);
  const account = async (from: SendRequest) => (await MAKERS.user({ request: from, receiver: receiver.url, owner: '' })).id;
  const users: Readonly<Record<Caller['user'], string>> = {
    owner: await account(request),
    'another user': await account(request),
    staff: await account(request),
    program: '',
    stranger: await account(elsewhere),
  };
  const context: MakerContext = { request, receiver: receiver.url, owner: users.owner };
  const shared = new Map<ResourceKind, Promise<{ readonly resource: Resource; readonly read: string }>>();
  const read = async (kind: ResourceKind, resource: Resource) => (await request('GET', addressOfKind(kind, resource))).text;
  const makeShared = async (kind: ResourceKind) => {
    const resource = await MAKERS[kind](context);
    return { resource, read: await read(kind, resource) };
  };
  return {
    users,
    tenants: { 'own tenant': tenant, 'other tenant': other },
    make: (kind: ResourceKind) => MAKERS[kind](context),
    /** Returns the resource of this kind that all requests without changes share. */
    async share(kind: ResourceKind): Promise<Resource> {
      const made = shared.get(kind) ?? makeShared(kind);
      shared.set(kind, made);
      return (await made).resource;
    },
    /** Returns each shared resource as it was when it was created, and as it is now. */
    compareShared: async () =>
      Promise.all(
        [...shared].map(async ([kind, made]) => {
          const { resource, read: before } = await made;
          return { kind, before, now: await read(kind, resource) };
        }),
      ),
  };
};

type Scene = Awaited<ReturnType<typeof openScene>>;

/** Registers a program in a tenant. Returns a token of it with all its scopes. */
const tokenOfProgram = async (service: TestPetstore, scopes: string, tenant: string): Promise<string> => {
  const fields = { name: 'Program', program: true, scopes: scopes.split(' '), confidential: true };
  const { id, secret = '' } = await addClient(service, { ...fields, redirectUris: [] }, { tenant, token: await service.token(ALL_SCOPES) });
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const answer = await fetch(`${service.url}/oauth/token`, { method: 'POST', body: form });
  return ((await answer.json()) as { readonly access_token: string }).access_token;
};

/** Expects the challenge of RFC 6750, section 3. */
const expectChallenge = (
  { status, headers }: HttpResponse,
  { token, scopes }: Caller,
  access: OperationRecord['access']['strict'],
): void => {
  const challenge = headers['www-authenticate'];
  if (status === 401 && token === 'none') expect(challenge).toBe('Bearer realm="petstore"');
  if (status === 401 && token === 'expired') expect(challenge).toMatch(/^Bearer realm="petstore", error="invalid_token"/);
  if (status === 403 && scopes !== 'all' && typeof access === 'object')
    expect(challenge).toBe(`Bearer realm="petstore", error="insufficient_scope", scope="${access.scope}"`);
};

/**
 * Proves contract 5.4, contract 5.5, contract 5.6, contract 5.7, contract 5.8, contract 6.2, contract 6.3, contract 6.5, contract 39.2
 * and contract 41.8.
 * Proves rows of contract 42.2, 42.10, 42.11 and 42.16.
 */
describe.each([
  ['documented', everywhere, startTestPetstore],
  ['strict', itOnAnyProfile, startStrictStore],
] as const)('under the policy %s', (policy, it, start) => {
  let service: TestPetstore;
  let scene: Scene;
  let compared = 0;
  beforeAll(async () => {
    if (it === (everywhere.skip as typeof it)) return;
    service = await start();
    scene = await openScene(service);
  });
  afterAll(() => service?.stop());

  const tokenOf = async (from: Caller, subject: string, operation: OperationRecord): Promise<string | undefined> => {
    if (from.token === 'none') return undefined;
    const tenant = from.boundTo ? { tenant: scene.tenants[from.boundTo] } : {};
    const expiresIn = from.token === 'expired' ? -1 : 3_600;
    const scopes = scopesOf(from, operation.access[policy]);
    if (from.user === 'program') return tokenOfProgram(service, scopes, scene.tenants['own tenant']);
    return service.token(scopes, { subject, expiresIn, ...tenant });
  };

  /** Sends the example request of an operation as a caller. */
  const send = async (operation: OperationRecord, from: Caller, isDenied: boolean): Promise<HttpResponse> => {
    const example = exampleOf(operation);
    const { on } = example;
    const isShared = isDenied || !isChange(operation);
    const resource = on ? await (isShared ? scene.share(on) : scene.make(on)) : { id: '' };
    const account = on === 'user' ? resource.id : resource.userId;
    const subject = from.user === 'owner' && account !== undefined ? account : scene.users[from.user];
    return service.request(operation.method, addressOf(operation, resource), {
      token: await tokenOf(from, subject, operation),
      ...(from.header && { tenant: scene.tenants['own tenant'] }),
      ...contentOf(example, resource),
    });
  };

  it.each(ALL_OPERATIONS.map((operation) => [operation.id, operation] as const))(
    '%s returns the documented status to each caller',
    async (_, operation) => {
      const [expected, actual]: Record<string, number>[] = [{}, {}];
      for (const from of CALLERS) {
        const { status, isDenied } = expectedStatus(operation, policy, from, exampleOf(operation));
        const response = await send(operation, from, isDenied);
        Object.assign(expected ?? {}, { [from.name]: status });
        Object.assign(actual ?? {}, { [from.name]: response.status });
        expectChallenge(response, from, operation.access[policy]);
        compared++;
      }
      expect(actual).toEqual(expected);
    },
  );

  it(`${ALL_OPERATIONS.length * CALLERS.length} pairs of operation and caller are compared, and denied requests change nothing`, async () => {
    expect(compared).toBe(ALL_OPERATIONS.length * CALLERS.length);
    for (const { kind, before, now } of await scene.compareShared()) expect([kind, now]).toEqual([kind, before]);
  });
});
