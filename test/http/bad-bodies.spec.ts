import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RequestOptions } from '../servers/client.js';
import type { TestPetstore } from '../servers/test-petstore.js';
import { openHostileStore } from './hostile-petstore.js';
import { expectProblem } from './problems.js';
import { card, PLAIN_PET, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
let petId: string;
let orderId: string;
beforeAll(async () => {
  ({ service, shop, petId, orderId } = await openHostileStore());
});
afterAll(() => service.stop());

/** Operations that read a body, and their status for a body that breaks a rule. */
const OPERATIONS_WITH_BODY = [
  ['POST', '/v1/pets', 422],
  ['PUT', '/v1/pets/{pet}', 422],
  ['QUERY', '/v1/pets', 400],
  ['QUERY', '/v1/pets/search', 400],
  ['POST', '/v1/pets/search', 400],
  ['POST', '/v1/orders', 422],
  ['POST', '/v1/orders/{order}/payment', 422],
] as const;

const send = (method: string, path: string, options: RequestOptions) =>
  shop.requestAsStaff(method, path.replace('{pet}', petId).replace('{order}', orderId), options);
const json = { 'content-type': 'application/json' };

/**
 * Proves contract 2.1, contract 2.2, contract 4.2, contract 4.3, contract 4.5, contract 4.9 and
 * contract 26.1.
 * Proves rows of contract 42.2, 42.3, 42.11, 42.13, 42.18 and 42.21.
 */
describe.each(OPERATIONS_WITH_BODY)('%s %s', (method, path, violation) => {
  it.each(['[]', '"text"', '5', 'true', 'null'])('rejects the body %s with invalid_type', async (raw) => {
    const kind = violation === 400 ? 'invalid-request' : 'validation-failed';
    expectProblem(await send(method, path, { raw }), violation, kind, { body: 'invalid_type' });
  });

  it.each([
    ['no content type', { 'content-type': [] }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['a media type that ends in +json', { 'content-type': 'application/vnd.api+json' }],
    ['a malformed content type', { 'content-type': 'json' }],
    ['JSON in another charset', { 'content-type': 'application/json; charset=utf-16' }],
    ['compressed JSON', { ...json, 'content-encoding': 'gzip' }],
  ])('rejects %s with 415', async (_, headers) => {
    expectProblem(await send(method, path, { raw: '{}', headers }), 415, 'unsupported-media-type');
  });

  it('accepts every notation of the media type', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])
      expect((await send(method, path, { raw: '{}', headers: { 'content-type': type } })).status).not.toBe(415);
  });

  it('rejects a body of 2 MiB with 413, and reads a body of almost 1 MiB', async () => {
    const sized = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;
    expectProblem(await send(method, path, { raw: sized(2 * 1_048_576) }), 413, 'content-too-large');
    expect((await send(method, path, { raw: sized(1_048_000) })).status).toBe(violation);
  });

  it('rejects a body with a hundred thousand nested levels with 400 or 422', async () => {
    const deep = `{"medicalInfo":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect([400, 422]).toContain((await send(method, path, { raw: deep })).status);
    const objects = `{"criteria":${'{"criteria":'.repeat(50_000)}1${'}'.repeat(50_000)}}`;
    expect([400, 422]).toContain((await send(method, path, { raw: objects })).status);
  });

  it('lists fifty of a thousand unknown properties and sets errorsTruncated', async () => {
    const body = Object.fromEntries(Array.from({ length: 1000 }, (_, nth) => [`unknown${nth}`, nth]));
    const { errors, errorsTruncated } = (await send(method, path, { body })).json as {
      readonly errors: readonly { readonly field: string; readonly code: string }[];
      readonly errorsTruncated: boolean;
    };
    expect([errors.length, errorsTruncated]).toEqual([50, true]);
    const unknown = errors.filter(({ code }) => code === 'unknown_property' || code === 'unknown_parameter');
    expect(new Set(unknown.map(({ field }) => field)).size).toBeGreaterThan(40);
  });
});

/** Proves contract 3.8, contract 3.10, contract 4.4, contract 4.10, contract 12.1 and contract 12.2. */
describe('an invalid pet', () => {
  it.each([
    ['an empty name', { name: '' }, { name: 'too_short' }],
    ['a blank name', { name: '   ' }, { name: 'INVALID_FORMAT' }],
    ['a name of two lines', { name: 'Rex\nRover' }, { name: 'INVALID_FORMAT' }],
    ['a name of 51 characters', { name: 'x'.repeat(51) }, { name: 'too_long' }],
    ['a name that is a number', { name: 5 }, { name: 'invalid_type' }],
    [
      'enum typos',
      { species: 'DIG', size: 'BIG', gender: 'M', status: 'SOLD' },
      { species: 'invalid_enum', size: 'invalid_enum', gender: 'invalid_enum', status: 'invalid_enum' },
    ],
    [
      'enums of a wrong type',
      { species: 1, size: ['SMALL'], gender: true, status: {} },
      { species: 'invalid_type', size: 'invalid_type', gender: 'invalid_type', status: 'invalid_type' },
    ],
    ['a negative age', { ageMonths: -1 }, { ageMonths: 'too_small' }],
    ['a fractional age', { ageMonths: 1.5 }, { ageMonths: 'invalid_type' }],
    ['an age that is a text', { ageMonths: '14' }, { ageMonths: 'invalid_type' }],
    ['an age of 1e300', { ageMonths: 1e300 }, { ageMonths: 'too_big' }],
    ['a price of 1e3', { price: '1e3' }, { price: 'INVALID_FORMAT' }],
    ['a price that is a number', { price: 1000 }, { price: 'invalid_type' }],
    ['a price with one decimal', { price: '1.5' }, { price: 'INVALID_FORMAT' }],
    ['a negative price', { price: '-1.00' }, { price: 'INVALID_FORMAT' }],
    ['a price of eleven digits', { price: '12345678901.00' }, { price: 'INVALID_FORMAT' }],
    ['a price with a line break', { price: '1.00\n' }, { price: 'INVALID_FORMAT' }],
    ['an unknown currency', { price: '1.00', currency: 'USX' }, { currency: 'INVALID_FORMAT' }],
    ['the name of a currency', { price: '1.00', currency: 'dollars' }, { currency: 'INVALID_FORMAT' }],
    [
      'booleans of a wrong type',
      { goodWithKids: 'true', medicalInfo: { vaccinated: 1 } },
      { goodWithKids: 'invalid_type', 'medicalInfo.vaccinated': 'invalid_type' },
    ],
    [
      'invalid photos',
      { photos: ['https://ok.example.com/1.jpg', 'ftp://x', 5, 'javascript:alert(1)'] },
      { 'photos[1]': 'INVALID_FORMAT', 'photos[2]': 'invalid_type', 'photos[3]': 'INVALID_FORMAT' },
    ],
    [
      'photos with characters that no URI has (contract 3.3)',
      {
        photos: [
          'https://ok.example.com/%C3%BC.jpg?a=1&b[]=2#top',
          'https://ü.example.com/',
          'https://ok.example.com/"',
          'https://ok.example.com/%zz',
        ],
      },
      { 'photos[1]': 'INVALID_FORMAT', 'photos[2]': 'INVALID_FORMAT', 'photos[3]': 'INVALID_FORMAT' },
    ],
    ['photos that are not a list', { photos: 'https://ok.example.com/1.jpg' }, { photos: 'invalid_type' }],
    ['too many photos', { photos: Array.from({ length: 101 }, (_, nth) => `https://ok.example.com/${nth}`) }, { photos: 'too_long' }],
    ['medical information that is a text', { medicalInfo: 'fine' }, { medicalInfo: 'invalid_type' }],
    ['medical information that is a list', { medicalInfo: [] }, { medicalInfo: 'invalid_type' }],
    [
      'unknown properties, also nested',
      { tail: true, medicalInfo: { blood: 'A' } },
      { tail: 'unknown_property', 'medicalInfo.blood': 'unknown_property' },
    ],
    [
      'names of inherited properties',
      { constructor: 1, toString: 2, hasOwnProperty: 3 },
      { constructor: 'unknown_property', toString: 'unknown_property', hasOwnProperty: 'unknown_property' },
    ],
  ])('with %s gets 422, and every failing field is listed', async (_, fields, codesByField) => {
    expectProblem(
      await shop.requestAsStaff('POST', '/v1/pets', { body: { ...PLAIN_PET, ...fields } }),
      422,
      'validation-failed',
      codesByField,
    );
  });

  it('with null in every field gets 422 for the required ones: null is absence', async () => {
    const fields = [
      'name',
      'species',
      'ageMonths',
      'breed',
      'size',
      'color',
      'gender',
      'goodWithKids',
      'price',
      'currency',
      'description',
      'status',
      'photos',
      'medicalInfo',
    ];
    const body = Object.fromEntries(fields.map((field) => [field, null]));
    const required = { name: 'required', species: 'required', ageMonths: 'required' };
    expectProblem(await shop.requestAsStaff('POST', '/v1/pets', { body }), 422, 'validation-failed', required);
    const replaced = await shop.requestAsStaff('PUT', `/v1/pets/${petId}`, { body });
    expectProblem(replaced, 422, 'validation-failed', { ...required, status: 'required' });
  });
});

/** Proves contract 2.4, contract 2.5, contract 3.1, contract 4.2 and contract 4.4. */
describe('an invalid request', () => {
  it('lists the errors of path, header and body in one problem', async () => {
    const response = await shop.requestAsStaff('PUT', '/v1/pets/rex', { ifMatch: 'unquoted', body: { species: 'DIG', ageMonths: '1' } });
    expectProblem(response, 400, 'invalid-request', {
      id: 'INVALID_FORMAT',
      'If-Match': 'INVALID_FORMAT',
      name: 'required',
      species: 'invalid_enum',
      ageMonths: 'invalid_type',
      status: 'required',
    });
    const paying = await shop.request('POST', '/v1/orders/rex/payment', {
      idempotencyKey: '',
      body: { amount: 1, currency: 'USD', source: card() },
    });
    expectProblem(paying, 400, 'invalid-request', { id: 'INVALID_FORMAT', 'Idempotency-Key': 'INVALID_FORMAT', amount: 'invalid_type' });
  });

  it.each(['rex', '0', randomUUID().slice(1), `${randomUUID()}0`, '%00', '..%2f..', 'null', '🐶', 'x'.repeat(5_000)])(
    'is 400 with the path id %s',
    async (id) => {
      for (const [method, path] of [
        ['GET', '/v1/pets/'],
        ['DELETE', '/v1/pets/'],
        ['GET', '/v1/orders/'],
        ['DELETE', '/v1/orders/'],
      ] as const)
        expectProblem(await shop.requestAsStaff(method, path + encodeURI(decodeURI(id)), {}), 400, 'invalid-request', {
          id: 'INVALID_FORMAT',
        });
    },
  );

  it('gets 400 with unknown parameters', async () => {
    const { json } = await shop.request<{ errors: readonly object[] }>('GET', '/v1/pets?speices=dog');
    expect(json.errors).toMatchObject([{ field: 'speices', message: 'is not a known query parameter; did you mean species?' }]);
    expectProblem(await shop.request('GET', `/v1/pets/${petId}?fields=name`), 400, 'invalid-request', { fields: 'unknown_parameter' });
    expectProblem(await shop.requestAsStaff('POST', '/v1/pets?dryRun=1&x', { body: PLAIN_PET }), 400, 'invalid-request', {
      dryRun: 'unknown_parameter',
      x: 'unknown_parameter',
    });
  });
});
