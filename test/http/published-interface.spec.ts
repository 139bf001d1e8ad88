import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { User } from '../../apps/api/users/user.dto.js';
import type { RequestOptions } from '../servers/client.js';
import {
  itOnAnyProfile,
  itOnOwnPetstore,
  startOwnPetstore,
  startStoreWith,
  startTestPetstore,
  type TestPetstore,
} from '../servers/test-petstore.js';
import { ask, CHAT, type Completion } from './chat.js';
import { fileUpload, PIXEL } from './image-files.js';
import { expectProblem } from './problems.js';
import { newUser, openShop, PLAIN_PET, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const RATE_LIMIT_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];

/** The operations of the published interface. If a path contains an id, it contains `id`. */
const operations = (id: string): readonly (readonly [method: string, path: string, options?: RequestOptions])[] => [
  ['GET', `/v1/pets/${id}`],
  ['PUT', `/v1/pets/${id}`, { body: {} }],
  ['DELETE', `/v1/pets/${id}`],
  ['POST', '/v1/pets', { body: {} }],
  ['GET', '/v1/pets'],
  ['QUERY', '/v1/pets', { body: {} }],
  ['POST', `/v1/pets/${id}/images`, fileUpload(PIXEL)],
  ['POST', CHAT, { body: {} }],
  ['POST', `/v1/orders/${id}/payment`, { body: {} }],
  ['GET', '/v1/inventories'],
  ['POST', '/v1/orders', { body: {} }],
  ['GET', `/v1/orders/${id}`],
  ['DELETE', `/v1/orders/${id}`],
  ['POST', `/v1/orders/${id}`, { body: {} }],
  ['POST', '/v1/users', { body: {} }],
  ['PUT', `/v1/users/${id}`, { body: {} }],
  ['GET', `/v1/users/${id}`],
];

/** Proves contract 11.1 and contract 11.3. Proves rows of contract 42.2, 42.5, 42.11, 42.12, 42.14, 42.18, 42.19 and 42.21. */
describe('the rate limit', () => {
  itOnAnyProfile('is in the headers of a success of every operation on pets', async () => {
    const limited = await startStoreWith({ RATE_LIMIT: '1000/60s' });
    try {
      const own = await openShop(limited);
      const { id } = (await own.requestAsStaff<{ id: string }>('POST', '/v1/pets', { body: PLAIN_PET })).json;
      for (const [method, path, status, options] of [
        ['POST', '/v1/pets', 201, { body: PLAIN_PET }],
        ['GET', '/v1/pets', 200],
        ['QUERY', '/v1/pets', 200, { body: {} }],
        ['GET', `/v1/pets/${id}`, 200],
        ['PUT', `/v1/pets/${id}`, 200, { body: { ...PLAIN_PET, status: 'PENDING' } }],
        ['POST', `/v1/pets/${id}/images`, 201, fileUpload(PIXEL)],
        ['DELETE', `/v1/pets/${id}`, 204],
      ] as const) {
        const { status: answered, headers } = await own.requestAsStaff(method, path, options);
        expect([method, path, answered]).toEqual([method, path, status]);
        for (const name of RATE_LIMIT_HEADERS)
          expect([method, path, name, headers[name]]).toEqual([method, path, name, expect.stringMatching(/^\d+$/)]);
      }
    } finally {
      await limited.stop();
    }
  });

  itOnOwnPetstore('makes every published operation but createUser 429 once the allowance is used up', async () => {
    // The allowance is one request. The window of 7 days does not end during the test.
    const limited = await startOwnPetstore({ RATE_LIMIT: '1/7d' });
    try {
      expect((await limited.request('GET', '/v1/pets')).status).toBe(200);
      // createUser is left out, because it has another limit (contract 11.2).
      const counted = operations(randomUUID()).filter(([method, path]) => `${method} ${path}` !== 'POST /v1/users');
      for (const [method, path, options] of counted) {
        const response = await limited.request(method, path, options);
        expectProblem(response, 429, 'too-many-requests');
        for (const name of RATE_LIMIT_HEADERS)
          expect([method, path, name, response.headers[name]]).toEqual([method, path, name, expect.any(String)]);
      }
    } finally {
      await limited.stop();
    }
  });
});

/** Proves contract 6.1. */
describe('X-Tenant-ID', () => {
  it('of a wrong form is 400 for every published operation', async () => {
    const token = await service.token('write:pets write:orders chat:write ops');
    for (const [method, path, options] of operations(randomUUID())) {
      const response = await service.request<{ errors: readonly { field: string; code: string }[] }>(method, path, {
        ...options,
        token,
        tenant: 'mine',
      });
      expect([method, path, response.status]).toEqual([method, path, 400]);
      expect(response.json.errors).toContainEqual(expect.objectContaining({ field: 'X-Tenant-ID', code: 'INVALID_FORMAT' }));
    }
  });
});

/** Proves contract 12.10. */
describe('a repeated search', () => {
  it('gets the same response, and changes no pet', async () => {
    const own = await openShop(service);
    for (const name of ['Ada', 'Bo']) await own.listPet({ name });
    const everything = async () => {
      const { text, headers } = await own.requestAsStaff('GET', '/v1/pets?status=ALL');
      return { text, etag: headers.etag };
    };
    const before = await everything();
    const responses = [];
    for (let count = 0; count < 3; count++) responses.push(await own.request('QUERY', '/v1/pets', { body: { sort: { field: 'price' } } }));
    expect(new Set(responses.map(({ status, text, headers }) => `${status} ${headers.etag} ${text}`)).size).toBe(1);
    expect(await everything()).toEqual(before);
  });
});

/** Proves contract 2.2, contract 3.4, contract 4.2 and contract 30.1. */
describe('a user', () => {
  const create = async () => (await service.request<User>('POST', '/v1/users', { body: newUser() })).json;

  it('has times in ISO 8601 and UTC', async () => {
    const { createdAt, updatedAt } = await create();
    expect([createdAt, updatedAt]).toEqual([expect.stringMatching(UTC), expect.stringMatching(UTC)]);
  });

  it('needs a username, an email address and a password: 422', async () => {
    expectProblem(await service.request('POST', '/v1/users', { body: {} }), 422, 'validation-failed', {
      username: 'required',
      email: 'required',
      password: 'required',
    });
  });

  it('is neither created nor changed by a body that is no JSON: 400', async () => {
    const { id } = await create();
    const token = await service.token('read:pets', { subject: id });
    for (const raw of ['', '{"username":', '<user/>']) {
      expectProblem(await service.request('POST', '/v1/users', { raw }), 400, 'malformed-request');
      expectProblem(await service.request('PUT', `/v1/users/${id}`, { raw, token }), 400, 'malformed-request');
    }
  });

  it('is not changed by a value that breaks a rule: 422', async () => {
    const { id } = await create();
    const token = await service.token('read:pets', { subject: id });
    const body = { username: 'ab', email: 'nowhere', password: 'short', phone: '1', firstName: 5, nickname: 'Ann' };
    expectProblem(await service.request('PUT', `/v1/users/${id}`, { body, token }), 422, 'validation-failed', {
      ...{ username: 'too_short', email: 'INVALID_FORMAT', password: 'too_short', phone: 'INVALID_FORMAT' },
      ...{ firstName: 'invalid_type', nickname: 'unknown_property' },
    });
  });

  it('cannot be read with an unknown parameter: 400', async () => {
    const { id } = await create();
    expectProblem(await service.request('GET', `/v1/users/${id}?fields=email`), 400, 'invalid-request', { fields: 'unknown_parameter' });
  });
});

/** Proves contract 41.1. */
describe('a chat without optional fields', () => {
  it('gets the same answer as a chat with the documented defaults', async () => {
    const token = await service.token('chat:write', { subject: randomUUID() });
    const answer = async (more: object) => {
      const { json } = await shop.request<Completion>('POST', CHAT, {
        token,
        body: ask('Which dogs do you have?', { stream: false, ...more }),
      });
      return { model: json.model, choices: json.choices, usage: json.usage };
    };
    expect(await answer({})).toEqual(await answer({ model: 'PET_ADVISOR_1', maxTokens: 1_024, temperature: 1 }));
  });
});
