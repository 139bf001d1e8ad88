import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Asked } from '../servers/client.js';
import type { TestStore } from '../servers/store.js';
import { openHostileStore } from './hostile-store.js';
import { expectProblem } from './problems.js';
import { card, PLAIN_PET, type Shop } from './shop.js';

let store: TestStore;
let shop: Shop;
let petId: string;
let orderId: string;
beforeAll(async () => {
  ({ store, shop, petId, orderId } = await openHostileStore());
});
afterAll(() => store.stop());

/** Every operation that reads a body, and what it answers to one that breaks a rule. */
const READERS = [
  ['POST', '/v1/pets', 422],
  ['PUT', '/v1/pets/{pet}', 422],
  ['QUERY', '/v1/pets', 400],
  ['QUERY', '/v1/pets/search', 400],
  ['POST', '/v1/pets/search', 400],
  ['POST', '/v1/orders', 422],
  ['POST', '/v1/orders/{order}/payment', 422],
] as const;

const send = (method: string, path: string, asked: Asked) =>
  shop.askAsStaff(method, path.replace('{pet}', petId).replace('{order}', orderId), asked);
const json = { 'content-type': 'application/json' };

describe.each(READERS)('%s %s', (method, path, violation) => {
  it.each([
    ['nothing at all', ''],
    ['broken JSON', '{"name": "Rex",}'],
    ['half of a body', '{"name": "Re'],
    ['two bodies', '{} {}'],
    ['no JSON', 'name=Rex'],
    ['a number that is none', '{"ageMonths": NaN}'],
    ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])],
    ['a prototype to reach into', '{"__proto__": {"admin": true}}'],
    ['a prototype, hidden deep', '{"medicalInfo": {"constructor": {"prototype": {"admin": true}}}}'],
    ['a prototype, written otherwise', '{"\\u005f_proto__": 1}'],
  ])('answers 400 to %s', async (_, raw) => {
    expectProblem(await send(method, path, { raw, headers: json }), 400, 'malformed-request');
  });

  it.each(['[]', '"text"', '5', 'true', 'null'])('answers that a body is an object, which %s is not', async (raw) => {
    const kind = violation === 400 ? 'invalid-request' : 'validation-failed';
    expectProblem(await send(method, path, { raw }), violation, kind, { body: 'invalid_type' });
  });

  it.each([
    ['no content type', { 'content-type': [] }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', { 'content-type': 'text/plain' }],
    ['something like JSON', { 'content-type': 'application/vnd.api+json' }],
    ['a content type that is none', { 'content-type': 'json' }],
    ['JSON in another encoding', { 'content-type': 'application/json; charset=utf-16' }],
    ['compressed JSON', { ...json, 'content-encoding': 'gzip' }],
  ])('answers 415 to %s', async (_, headers) => {
    expectProblem(await send(method, path, { raw: '{}', headers }), 415, 'unsupported-media-type');
  });

  it('reads JSON however its media type is written', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/json;charset="UTF-8"'])
      expect((await send(method, path, { raw: '{}', headers: { 'content-type': type } })).status).not.toBe(415);
  });

  it('answers 413 to 2 MiB, and takes nearly 1 MiB', async () => {
    const sized = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`;
    expectProblem(await send(method, path, { raw: sized(2 * 1_048_576) }), 413, 'content-too-large');
    expect((await send(method, path, { raw: sized(1_048_000) })).status).toBe(violation);
  });

  it('answers a body of a hundred thousand levels without losing its breath', async () => {
    const deep = `{"medicalInfo":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect([400, 422]).toContain((await send(method, path, { raw: deep })).status);
    const objects = `{"criteria":${'{"criteria":'.repeat(50_000)}1${'}'.repeat(50_000)}}`;
    expect([400, 422]).toContain((await send(method, path, { raw: objects })).status);
  });

  it('names fifty of a thousand unknown properties, not the first only, and says that there are more', async () => {
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

describe('a pet that cannot be one', () => {
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
      'enums that are no texts',
      { species: 1, size: ['SMALL'], gender: true, status: {} },
      { species: 'invalid_type', size: 'invalid_type', gender: 'invalid_type', status: 'invalid_type' },
    ],
    ['an age below nothing', { ageMonths: -1 }, { ageMonths: 'too_small' }],
    ['an age in parts', { ageMonths: 1.5 }, { ageMonths: 'invalid_type' }],
    ['an age in words', { ageMonths: '14' }, { ageMonths: 'invalid_type' }],
    ['an age beyond all numbers', { ageMonths: 1e300 }, { ageMonths: 'too_big' }],
    ['a price of 1e3', { price: '1e3' }, { price: 'INVALID_FORMAT' }],
    ['a price that is a number', { price: 1000 }, { price: 'invalid_type' }],
    ['a price with one decimal', { price: '1.5' }, { price: 'INVALID_FORMAT' }],
    ['a price below nothing', { price: '-1.00' }, { price: 'INVALID_FORMAT' }],
    ['a price of eleven digits', { price: '12345678901.00' }, { price: 'INVALID_FORMAT' }],
    ['a price with a line behind it', { price: '1.00\n' }, { price: 'INVALID_FORMAT' }],
    ['a currency that is none', { price: '1.00', currency: 'USX' }, { currency: 'INVALID_FORMAT' }],
    ['a currency in words', { price: '1.00', currency: 'dollars' }, { currency: 'INVALID_FORMAT' }],
    [
      'flags that are none',
      { goodWithKids: 'true', medicalInfo: { vaccinated: 1 } },
      { goodWithKids: 'invalid_type', 'medicalInfo.vaccinated': 'invalid_type' },
    ],
    [
      'photos that are none',
      { photos: ['https://ok.example.com/1.jpg', 'ftp://x', 5, 'javascript:alert(1)'] },
      { 'photos[1]': 'INVALID_FORMAT', 'photos[2]': 'invalid_type', 'photos[3]': 'INVALID_FORMAT' },
    ],
    ['photos that are no list', { photos: 'https://ok.example.com/1.jpg' }, { photos: 'invalid_type' }],
    ['too many photos', { photos: Array.from({ length: 101 }, (_, nth) => `https://ok.example.com/${nth}`) }, { photos: 'too_long' }],
    ['medical information that is none', { medicalInfo: 'fine' }, { medicalInfo: 'invalid_type' }],
    ['a list for an object', { medicalInfo: [] }, { medicalInfo: 'invalid_type' }],
    [
      'unknown properties, nested ones too',
      { tail: true, medicalInfo: { blood: 'A' } },
      { tail: 'unknown_property', 'medicalInfo.blood': 'unknown_property' },
    ],
    [
      'properties that every object has',
      { constructor: 1, toString: 2, hasOwnProperty: 3 },
      { constructor: 'unknown_property', toString: 'unknown_property', hasOwnProperty: 'unknown_property' },
    ],
  ])('with %s is 422 and names every failing field', async (_, fields, faults) => {
    expectProblem(await shop.askAsStaff('POST', '/v1/pets', { body: { ...PLAIN_PET, ...fields } }), 422, 'validation-failed', faults);
  });

  it('with nulls everywhere is 422: null counts as another type', async () => {
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
    const faults = Object.fromEntries(fields.map((field) => [field, 'invalid_type']));
    expectProblem(await shop.askAsStaff('POST', '/v1/pets', { body }), 422, 'validation-failed', faults);
    expectProblem(await shop.askAsStaff('PUT', `/v1/pets/${petId}`, { body }), 422, 'validation-failed', faults);
  });
});

describe('a request that is wrong in several places', () => {
  it('has them all named at once: path, header and body', async () => {
    const answer = await shop.askAsStaff('PUT', '/v1/pets/rex', { ifMatch: 'unquoted', body: { species: 'DIG', ageMonths: '1' } });
    expectProblem(answer, 400, 'invalid-request', {
      id: 'INVALID_FORMAT',
      'If-Match': 'INVALID_FORMAT',
      name: 'required',
      species: 'invalid_enum',
      ageMonths: 'invalid_type',
      status: 'required',
    });
    const paying = await shop.ask('POST', '/v1/orders/rex/payment', {
      idempotencyKey: '',
      body: { amount: 1, currency: 'USD', source: card() },
    });
    expectProblem(paying, 400, 'invalid-request', { id: 'INVALID_FORMAT', 'Idempotency-Key': 'INVALID_FORMAT', amount: 'invalid_type' });
  });

  it.each(['rex', '0', randomUUID().slice(1), `${randomUUID()}0`, '%00', '..%2f..', 'null', '🐶', 'x'.repeat(5_000)])(
    'has a path id that is none: %s',
    async (id) => {
      for (const [method, path] of [
        ['GET', '/v1/pets/'],
        ['DELETE', '/v1/pets/'],
        ['GET', '/v1/orders/'],
        ['DELETE', '/v1/orders/'],
      ] as const)
        expectProblem(await shop.askAsStaff(method, path + encodeURI(decodeURI(id)), {}), 400, 'invalid-request', { id: 'INVALID_FORMAT' });
    },
  );

  it('has parameters that the operation does not know', async () => {
    expectProblem(await shop.ask('GET', `/v1/pets/${petId}?fields=name`), 400, 'invalid-request', { fields: 'unknown_parameter' });
    expectProblem(await shop.askAsStaff('POST', '/v1/pets?dryRun=1&x', { body: PLAIN_PET }), 400, 'invalid-request', {
      dryRun: 'unknown_parameter',
      x: 'unknown_parameter',
    });
  });
});
