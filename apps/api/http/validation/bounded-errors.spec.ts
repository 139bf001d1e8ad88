import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { as, PET_ID, runningApi, type RunningApi } from '../../testing/running-api.fixtures.js';
import type { ProblemBody } from '../problems/problem.js';
import { unknownKeys } from './unknown-keys.fixtures.js';

const LUNA = { name: 'Luna', species: 'DOG', ageMonths: 18 };
const MOST_KEYS = unknownKeys();
const MANY_PARAMETERS = Array.from({ length: 2_000 }, (_, nth) => `p${nth}`).join('&');
/** The maximum size of a problem in bytes. */
const MAX_PROBLEM_BYTES = 16_384;

let api: RunningApi;
beforeAll(async () => {
  api = await runningApi({ RATE_LIMIT: 'off' });
});
afterAll(() => api.app.close());

const reject = async (method: 'GET' | 'POST' | 'PUT' | 'QUERY', url: string, payload?: string) => {
  const headers = { ...as('staff'), ...(payload !== undefined && { 'content-type': 'application/json' }) };
  const response = await api.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  const problem = response.json<ProblemBody>();
  return { status: response.statusCode, size: response.body.length, problem, count: problem.errors?.length };
};

describe('a request with many errors', () => {
  it.each<[string, number, () => Parameters<typeof reject>]>([
    ['130,000 unknown properties', 422, () => ['POST', '/v1/pets', JSON.stringify({ ...LUNA, ...MOST_KEYS })]],
    ['130,000 unknown properties of a nested object', 422, () => ['POST', '/v1/pets', JSON.stringify({ ...LUNA, medicalInfo: MOST_KEYS })]],
    ['130,000 unknown criteria', 400, () => ['QUERY', '/v1/pets', JSON.stringify({ criteria: MOST_KEYS })]],
    ['130,000 unknown properties of a payment', 422, () => ['POST', `/v1/orders/${PET_ID}/payment`, JSON.stringify(MOST_KEYS)]],
    [
      '130,000 unknown properties of a card',
      422,
      () => ['POST', `/v1/orders/${PET_ID}/payment`, JSON.stringify({ source: { object: 'card', ...MOST_KEYS } })],
    ],
    ['101 invalid links', 422, () => ['POST', '/v1/pets', JSON.stringify({ ...LUNA, photos: Array<string>(101).fill('x') })]],
    ['520,000 invalid links', 422, () => ['POST', '/v1/pets', JSON.stringify({ ...LUNA, photos: Array<number>(520_000).fill(1) })]],
    ['2,000 unknown query parameters', 400, () => ['GET', `/v1/pets?${MANY_PARAMETERS}`]],
    ['2,000 parameters on an operation without parameters', 400, () => ['GET', `/v1/pets/${PET_ID}?${MANY_PARAMETERS}`]],
    ['2,000 unknown statuses', 400, () => ['GET', `/v1/inventories?status=${'x,'.repeat(2_000)}`]],
  ])('is answered with the first 50 errors and errorsTruncated: %s', async (_, status, request) => {
    const { problem, size, ...answer } = await reject(...request());
    expect({ ...answer, truncated: problem.errorsTruncated, detail: problem.detail }).toEqual({
      status,
      count: 50,
      truncated: true,
      detail: 'There are more than 50 errors; the first 50 are listed.',
    });
    expect(size).toBeLessThan(MAX_PROBLEM_BYTES);
  });

  it('is answered without errorsTruncated if it has exactly 50 errors', async () => {
    const { problem, count } = await reject('POST', '/v1/pets', JSON.stringify({ ...LUNA, ...unknownKeys(50) }));
    expect({ count, truncated: problem.errorsTruncated, detail: problem.detail }).toEqual({
      count: 50,
      truncated: undefined,
      detail: '50 fields are invalid; see errors.',
    });
  });

  it('is answered with the errors of known fields before those of unknown fields', async () => {
    const { problem } = await reject('POST', '/v1/pets', JSON.stringify({ ...MOST_KEYS, name: 5 }));
    expect(
      problem.errors
        ?.slice(0, 3)
        .map(({ field, code }) => `${field} ${code}`)
        .sort(),
    ).toEqual(['ageMonths required', 'name invalid_type', 'species required']);
  });
});

describe('a problem that repeats parts of the request', () => {
  it.each<[string, () => Parameters<typeof reject>]>([
    ['a property of 1 MiB', () => ['POST', '/v1/pets', JSON.stringify({ ...LUNA, ['x'.repeat(1_000_000)]: 1 })]],
    [
      'an emoji where a long name is cut',
      () => ['POST', '/v1/pets', JSON.stringify({ ...LUNA, [`${'x'.repeat(199)}😀${'x'.repeat(99)}`]: 1 })],
    ],
    [
      '50 properties of 20 KiB',
      () => [
        'POST',
        '/v1/pets',
        JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`${nth}${'\u0001'.repeat(3_000)}`, 1]))),
      ],
    ],
    ['a query parameter of 15 KiB', () => ['GET', `/v1/pets?${'x'.repeat(15_000)}=1`]],
    ['a path of 15 KiB', () => ['GET', `/v1/pets/${'x'.repeat(15_000)}`]],
    ['an unknown address of 15 KiB', () => ['GET', `/nothing/${'x'.repeat(15_000)}`]],
    ['an address of 15 KiB that cannot be decoded', () => ['GET', `/v1/pets/%zz${'x'.repeat(15_000)}`]],
    ['a text of 1 MiB', () => ['POST', '/v1/pets', JSON.stringify({ ...LUNA, name: 'x'.repeat(1_000_000), breed: 5 })]],
  ])('has a limited size even for %s', async (_, request) => {
    const { size, problem, status } = await reject(...request());
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    for (const { field } of problem.errors ?? []) expect(field.length).toBeLessThanOrEqual(201);
    expect(problem.instance.length).toBeLessThanOrEqual(1_024);
    expect(JSON.stringify(problem).isWellFormed()).toBe(true);
    expect(size).toBeLessThan(6 * MAX_PROBLEM_BYTES);
  });
});
