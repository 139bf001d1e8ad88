import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GetPet, ListPets, SearchPets } from '../../../libs/application/pets/pet.queries.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import { answerPets, PET, VIEW } from '../testing/pets-api.fixtures.js';
import { as, faultsIn, OTHER_TENANT, PET_ID, runningApi, TENANT, type RunningApi } from '../testing/running-api.fixtures.js';

let api: RunningApi;
beforeAll(async () => {
  api = await runningApi({ RATE_LIMIT: 'off' });
});
afterAll(() => api.app.close());
beforeEach(() => answerPets(api));

describe('GET /v1/pets/{id}', () => {
  it('answers with the stored document', async () => {
    const response = await api.inject({ url: PET });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe(VIEW.json);
    expect(response.headers).toMatchObject({
      etag: '"3.1"',
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    });
    expect(api.application.last(GetPet)).toEqual(new GetPet(PET_ID, SHARED_POOL));
  });

  it('accepts the id in any case', async () => {
    await api.inject({ url: `/v1/pets/${PET_ID.toUpperCase()}` });
    expect(api.application.last(GetPet).id).toBe(PET_ID);
  });

  it('answers HEAD without a body, and with the Content-Length of GET', async () => {
    const response = await api.inject({ method: 'HEAD', url: PET });
    expect([response.statusCode, response.body, response.headers['content-length']]).toEqual([200, '', String(VIEW.json.length)]);
  });

  it.each([
    ['"3.1"', 304],
    ['"2.1"', 200],
  ])('with If-None-Match: %s answers %i', async (tag, status) => {
    const response = await api.inject({ url: PET, headers: { 'if-none-match': tag } });
    expect([response.statusCode, response.headers['etag'], response.body === '']).toEqual([status, '"3.1"', status === 304]);
  });

  it('may be cached only by the caller if the request has a token', async () => {
    expect((await api.inject({ url: PET, headers: as('ann') })).headers['cache-control']).toBe('private, no-cache');
  });

  it('is 404 for an unknown id', async () => {
    api.application.setHandler(GetPet, () => null);
    const response = await api.inject({ url: PET });
    expect([response.statusCode, response.json()]).toEqual([
      404,
      {
        type: 'https://pets.test/errors/not-found',
        title: 'Not found',
        status: 404,
        detail: 'There is no pet with this id.',
        instance: PET,
      },
    ]);
  });

  it.each(['5', 'undefined', `${PET_ID}0`, 'x'.repeat(5000)])('is 400 for an id that is not a UUID: %.40s', async (id) => {
    const response = await api.inject({ url: `/v1/pets/${id}` });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ errors: [{ field: 'id', code: 'INVALID_FORMAT' }] });
  });

  it('has no query parameters', async () => {
    const response = await api.inject({ url: `${PET}?fields=name` });
    expect([response.statusCode, faultsIn(response)]).toEqual([400, ['fields unknown_parameter']]);
  });

  it('ignores a body', async () => {
    const response = await api.inject({ method: 'GET', url: PET, payload: '{', headers: { 'content-type': 'application/json' } });
    expect(response.statusCode).toBe(200);
  });
});

describe('GET /v1/pets', () => {
  it('returns the first twenty available pets by default', async () => {
    await api.inject({ url: '/v1/pets' });
    expect(api.application.last(ListPets)).toEqual(new ListPets({ status: 'AVAILABLE' }, 1, 20, SHARED_POOL));
  });

  it('passes the filters to the query, and has the filters in its links', async () => {
    const response = await api.inject({ url: '/v1/pets?species=dog&ageMin=6&goodWithKids=true&status=pending&page=2&limit=10' });
    expect(api.application.last(ListPets)).toEqual(
      new ListPets({ status: 'PENDING', species: 'DOG', ageMin: 6, goodWithKids: true }, 2, 10, SHARED_POOL),
    );
    const address = 'https://pets.test/v1/pets?species=DOG&ageMin=6&goodWithKids=true&status=PENDING';
    expect(response.json()).toEqual({
      data: [{ a: 1 }],
      pagination: { page: 2, limit: 10, totalItems: 41, totalPages: 5 },
      links: {
        self: `${address}&page=2&limit=10`,
        first: `${address}&page=1&limit=10`,
        last: `${address}&page=5&limit=10`,
        next: `${address}&page=3&limit=10`,
        prev: `${address}&page=1&limit=10`,
      },
    });
  });

  it('has Accept-Query', async () => expect((await api.inject({ url: '/v1/pets' })).headers['accept-query']).toBe('application/json'));

  it('has an entity tag that depends on its content', async () => {
    const first = await api.inject({ url: '/v1/pets' });
    expect((await api.inject({ url: '/v1/pets', headers: { 'if-none-match': String(first.headers['etag']) } })).statusCode).toBe(304);
    api.application.setHandler(ListPets, () => ({ items: ['{"a":2}'], totalItems: 41 }));
    expect((await api.inject({ url: '/v1/pets' })).headers['etag']).not.toBe(first.headers['etag']);
  });

  it.each([
    ['status=NOT_AVAILABLE', 'ann', 422],
    ['status=ALL', 'ann', 422],
    ['status=not_available', 'staff', 200],
    ['status=all', 'staff', 200],
    ['limit=abc', 'ann', 400],
    ['page=0', 'ann', 422],
    ['page=0&limit=abc', 'ann', 400],
  ])('with ?%s from %s answers %i', async (query, caller, status) => {
    expect((await api.inject({ url: `/v1/pets?${query}`, headers: as(caller) })).statusCode).toBe(status);
  });
});

describe('a search', () => {
  it.each([
    ['QUERY', '/v1/pets'],
    ['QUERY', '/v1/pets/search'],
    ['POST', '/v1/pets/search'],
  ])('can be sent as %s %s', async (method, url) => {
    const payload = { criteria: { species: ['dog'], size: [] }, sort: { field: 'price' }, pagination: { limit: 5 } };
    const response = await api.inject({ method: method, url, payload });
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { data: [{ a: 1 }], pagination: { page: 1, limit: 5, totalItems: 1, totalPages: 1 } },
    ]);
    expect(api.application.last(SearchPets)).toEqual(
      new SearchPets({ species: ['DOG'] }, { field: 'price', order: 'ASC' }, 1, 5, SHARED_POOL),
    );
  });

  it('without criteria finds all pets', async () => {
    await api.inject({ method: 'QUERY', url: '/v1/pets', payload: {} });
    expect(api.application.last(SearchPets)).toEqual(new SearchPets({}, undefined, 1, 20, SHARED_POOL));
  });

  it('with invalid criteria is 400, not 422 (contract 4.3)', async () => {
    const response = await api.inject({ method: 'QUERY', url: '/v1/pets', payload: { pagination: { limit: 101 } } });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      type: 'https://pets.test/errors/invalid-request',
      errors: [{ field: 'pagination.limit', code: 'too_big' }],
    });
  });
});

describe('the tenant of a request', () => {
  it.each<[string, Readonly<Record<string, string>>, string | number]>([
    ['in a header', { 'x-tenant-id': TENANT.toUpperCase() }, TENANT],
    ['in a token', as('bound'), TENANT],
    ['in both', { ...as('bound'), 'x-tenant-id': TENANT }, TENANT],
    ['in both with different values', { ...as('bound'), 'x-tenant-id': OTHER_TENANT }, 403],
    ['that is not a UUID', { 'x-tenant-id': 'acme' }, 400],
  ])('%s is accepted or rejected', async (_, headers, expected) => {
    const response = await api.inject({ url: PET, headers });
    if (typeof expected === 'number') expect(response.statusCode).toBe(expected);
    else expect(api.application.last(GetPet).tenant).toBe(expected);
  });
});
