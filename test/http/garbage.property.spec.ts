import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TestStore } from '../servers/store.js';
import { openHostileStore } from './hostile-store.js';
import { PLAIN_PET, type Page, type Pet, type Shop } from './shop.js';

/** The same runs every time: a property that fails today fails tomorrow. */
const RUNS = { numRuns: 60, seed: 2026 };

let store: TestStore;
let shop: Shop;
let petId: string;
let orderId: string;
beforeAll(async () => {
  ({ store, shop, petId, orderId } = await openHostileStore());
});
afterAll(() => store.stop());

const written = (letter: string) =>
  fc.constantFrom(...new Set([letter.toLowerCase(), letter.toUpperCase(), ...(letter === '_' ? ['-'] : [])]));
/** A value as people write it: any letter in any case, `-` for `_`. */
const anyCase = (value: string) => fc.tuple(...[...value].map(written)).map((letters) => letters.join(''));

const READERS = () =>
  [
    ['POST', '/v1/pets'],
    ['PUT', `/v1/pets/${petId}`],
    ['QUERY', '/v1/pets'],
    ['POST', '/v1/orders'],
    ['POST', `/v1/orders/${orderId}/payment`],
    ['POST', `/v1/orders/${orderId}`],
    ['POST', '/v1/webhooks'],
  ] as const;

const FIELDS = [
  'name',
  'species',
  'ageMonths',
  'price',
  'photos',
  'medicalInfo',
  'status',
  'criteria',
  'sort',
  'pagination',
  'petId',
  'quantity',
  'shipDate',
  'amount',
  'currency',
  'source',
  'timestamp',
  'callbackUrl',
  'url',
  'events',
];
/** Bodies that look a little like what is wanted. */
const nearly = fc.dictionary(fc.constantFrom(...FIELDS), fc.anything({ withNullPrototype: true, withUnicodeString: true } as object), {
  maxKeys: 6,
});

/** Whatever is sent, an answer below 500 comes back; the harness holds it against /openapi.json and looks for telltales. */
const isSurvived = async (asked: object): Promise<void> => {
  for (const [method, path] of READERS()) expect((await shop.askAsStaff(method, path, asked)).status).toBeLessThan(500);
};

describe('enums', () => {
  it.each([
    ['species', ['DOG', 'CAT', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER']],
    ['size', ['SMALL', 'MEDIUM', 'LARGE']],
    ['gender', ['MALE', 'FEMALE', 'UNKNOWN']],
    ['status', ['AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE']],
  ])('%s is read in any case and answered in one', async (field, values) => {
    const wish = fc.constantFrom(...values).chain((value) => anyCase(value).map((text) => [value, text] as const));
    await fc.assert(
      fc.asyncProperty(wish, async ([value, text]) => {
        const { json } = await shop.askAsStaff<Pet>('POST', '/v1/pets', { body: { ...PLAIN_PET, [field]: text } });
        expect(json).toMatchObject({ [field]: value });
      }),
      { ...RUNS, numRuns: 20 },
    );
  });

  it('are read in any case in a query too', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase('DOG'), anyCase('SMALL'), anyCase('AVAILABLE'), async (species, size, status) => {
        const { status: code, json } = await shop.ask<Page<Pet>>('GET', `/v1/pets?species=${species}&size=${size}&status=${status}`);
        expect([code, json.links.self]).toEqual([200, expect.stringContaining('species=DOG')]);
      }),
      { ...RUNS, numRuns: 20 },
    );
  });
});

describe('garbage', () => {
  it('that is JSON never breaks the server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 4 }), (raw) => isSurvived({ raw })),
      RUNS,
    );
  });

  it('that is nearly right never breaks the server', async () => {
    await fc.assert(
      fc.asyncProperty(
        nearly.filter((body) => isJson(body)),
        (body) => isSurvived({ body }),
      ),
      RUNS,
    );
  });

  it('that is bytes never breaks the server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (raw) => isSurvived({ raw })),
      { ...RUNS, numRuns: 25 },
    );
  });

  it('in the address never breaks the server', async () => {
    const address = fc.tuple(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ unit: 'grapheme', maxLength: 12 })),
    );
    await fc.assert(
      fc.asyncProperty(address, async ([segment, query]) => {
        const path = `/v1/pets/${encodeURIComponent(segment.toWellFormed())}?${new URLSearchParams(query).toString()}`;
        expect((await shop.ask('GET', path)).status).toBeLessThan(500);
        expect((await shop.ask('GET', `/v1/pets?${new URLSearchParams(query).toString()}`)).status).toBeLessThan(500);
      }),
      RUNS,
    );
  });

  it('in headers never breaks the server', async () => {
    const names = [
      'authorization',
      'x-tenant-id',
      'idempotency-key',
      'if-match',
      'if-none-match',
      'x-request-id',
      'accept',
      'origin',
      'content-type',
      'x-forwarded-for',
    ];
    const value = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value), async (headers) => {
        for (const [method, path] of [...READERS(), ['GET', `/v1/pets/${petId}`] as const])
          expect((await shop.ask(method, path, { body: {}, headers })).status).toBeLessThan(500);
      }),
      RUNS,
    );
  });
});

/** Cycles, bigints and the like are no garbage that anyone can send. */
const isJson = (value: unknown): boolean => {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
};
