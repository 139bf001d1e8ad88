import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CreatePet, DeletePet, UpdatePet } from '../../../libs/application/pets/pet.commands.js';
import { rejected } from '../../../libs/eventsourcing/decider.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import { answerPets, LUNA, PET, VIEW } from '../testing/pets-api.fixtures.js';
import { as, faultsIn, PET_ID, runningApi, TENANT, type RunningApi } from '../testing/running-api.fixtures.js';

let api: RunningApi;
beforeAll(async () => {
  api = await runningApi({ RATE_LIMIT: 'off' });
});
afterAll(() => api.app.close());
beforeEach(() => answerPets(api));

describe('POST /v1/pets', () => {
  const post = (payload: object, headers: Readonly<Record<string, string>> = {}) =>
    api.inject({ method: 'POST', url: '/v1/pets', payload, headers: { ...as('staff'), ...headers } });

  it('answers with the new pet and its Location', async () => {
    const response = await post({ ...LUNA, species: 'dog', price: '250.00', id: 'mine', tenantId: 'theirs' });
    expect([response.statusCode, response.body]).toEqual([201, VIEW.json]);
    expect(response.headers).toMatchObject({ location: `https://pets.test${PET}`, etag: '"3.1"' });
    expect(response.headers).not.toHaveProperty('idempotent-replayed');
    const { details, status, request } = api.application.last(CreatePet);
    expect({ details, status }).toEqual({ details: { ...LUNA, price: '250.00', currency: 'USD' }, status: 'AVAILABLE' });
    expect(request).toEqual({ tenant: SHARED_POOL, actor: 'staff', requestId: expect.stringMatching(/^request-/) });
  });

  it('passes the Idempotency-Key to the command, and marks a replay', async () => {
    api.application.setHandler(CreatePet, () => ({ ...VIEW, replayed: true }));
    const response = await post(LUNA, { 'idempotency-key': 'key-1' });
    expect([response.statusCode, response.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect(api.application.last(CreatePet).request.idempotencyKey).toBe('key-1');
  });

  it.each(['', ' ', 'a b', 'ä', 'x'.repeat(256)])('rejects the Idempotency-Key "%.20s"', async (key) => {
    const response = await post(LUNA, { 'idempotency-key': key });
    expect([response.statusCode, faultsIn(response)]).toEqual([400, ['Idempotency-Key INVALID_FORMAT']]);
  });

  it('rejects a key that was used with another body', async () => {
    api.application.setHandler(CreatePet, () => rejected('idempotency_key_reused'));
    const response = await post(LUNA, { 'idempotency-key': 'key-1' });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toMatchObject({
      type: 'https://pets.test/errors/idempotency-key-reused',
      errors: [{ field: 'Idempotency-Key', code: 'mismatch' }],
    });
  });

  it('lists every failing field', async () => {
    const response = await post({ species: 'dig', medicalInfo: { foo: 1 } });
    expect(response.statusCode).toBe(422);
    expect(faultsIn(response)).toEqual(['ageMonths required', 'medicalInfo.foo unknown_property', 'name required', 'species invalid_enum']);
  });
});

describe('PUT or DELETE /v1/pets/{id}', () => {
  const put = (payload: object, headers: Readonly<Record<string, string>> = {}) =>
    api.inject({ method: 'PUT', url: PET, payload, headers: { ...as('staff'), ...headers } });

  it('replaces the pet on PUT', async () => {
    const response = await put({ ...LUNA, status: 'pending', id: PET_ID.toUpperCase(), createdAt: 'then' });
    expect([response.statusCode, response.headers['etag'], response.body]).toEqual([200, '"3.1"', VIEW.json]);
    const { id, details, status } = api.application.last(UpdatePet);
    expect({ id, details, status }).toEqual({ id: PET_ID, details: LUNA, status: 'PENDING' });
  });

  it('requires a status on PUT', async () => expect(faultsIn(await put(LUNA))).toEqual(['status required']));

  it.each([TENANT, 5, { toString: 1 }])('rejects the id %j in the body, because it is not the id in the path', async (id) => {
    const response = await put({ ...LUNA, status: 'AVAILABLE', id });
    expect([response.statusCode, faultsIn(response)]).toEqual([422, ['id mismatch']]);
  });

  it.each<[string, readonly string[] | undefined]>([
    ['*', undefined],
    ['"3.1", W/"2.1"', ['3.1', '2.1']],
    ['W/"3.1"', ['3.1']],
  ])('passes If-Match: %s to the command as %j', async (header, expected) => {
    await put({ ...LUNA, status: 'AVAILABLE' }, { 'if-match': header });
    expect(api.application.last(UpdatePet).request.ifMatch).toEqual(expected);
    await api.inject({ method: 'DELETE', url: PET, headers: { ...as('staff'), 'if-match': header } });
    expect(api.application.last(DeletePet).request.ifMatch).toEqual(expected);
  });

  it('rejects an If-Match header whose tag has no quotes', async () =>
    expect((await put({ ...LUNA, status: 'AVAILABLE' }, { 'if-match': '3.1' })).statusCode).toBe(400));

  it.each([
    ['precondition_failed', 412],
    ['pet_not_found', 404],
    ['pet_held', 409],
    ['contended', 503],
  ] as const)('answers the rejection %s with %i', async (rejected, status) => {
    api.application.setHandler(UpdatePet, () => ({ rejected }));
    api.application.setHandler(DeletePet, () => ({ rejected }));
    const responses = [await put({ ...LUNA, status: 'AVAILABLE' }), await api.inject({ method: 'DELETE', url: PET, headers: as('staff') })];
    expect(responses.map(({ statusCode }) => statusCode)).toEqual([status, status]);
    if (status === 503) expect(responses[0]?.headers['retry-after']).toBe('5');
  });

  it('answers DELETE with 204 and no body', async () => {
    const response = await api.inject({
      method: 'DELETE',
      url: PET,
      headers: { ...as('staff'), 'content-type': 'application/json' },
      payload: 'ignored',
    });
    expect([response.statusCode, response.body]).toEqual([204, '']);
  });
});
