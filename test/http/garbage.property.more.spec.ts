import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TestPetstore } from '../servers/test-petstore.js';
import { openHostileStore } from './hostile-petstore.js';
import type { Shop } from './shop.js';

/** A fixed seed makes failures reproducible. */
const RUNS = { numRuns: 60, seed: 2026 };

let service: TestPetstore;
let shop: Shop;
let petId: string;
let orderId: string;
beforeAll(async () => {
  ({ service, shop, petId, orderId } = await openHostileStore());
});
afterAll(() => service.stop());

const operationsWithBody = () =>
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
/** Bodies with some valid property names and arbitrary values. */
const almostValidBodies = fc.dictionary(
  fc.constantFrom(...FIELDS),
  fc.anything({ withNullPrototype: true, withUnicodeString: true } as object),
  {
    maxKeys: 6,
  },
);

/**
 * Expects a status below 500. The client also checks that each response matches /openapi.json and reveals no
 * internal details.
 */
const expectNoServerError = async (options: object): Promise<void> => {
  for (const [method, path] of operationsWithBody()) expect((await shop.requestAsStaff(method, path, options)).status).toBeLessThan(500);
};

/** Proves contract 4.7. */
describe('a request with random input', () => {
  it('causes no server error with a body of random JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 4 }), (raw) => expectNoServerError({ raw })),
      RUNS,
    );
  });

  it('causes no server error with an almost valid body', async () => {
    await fc.assert(
      fc.asyncProperty(
        almostValidBodies.filter((body) => isJson(body)),
        (body) => expectNoServerError({ body }),
      ),
      RUNS,
    );
  });

  it('causes no server error with a body of random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), (raw) => expectNoServerError({ raw })),
      { ...RUNS, numRuns: 25 },
    );
  });

  it('causes no server error with a random address', async () => {
    const address = fc.tuple(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.dictionary(fc.string({ maxLength: 8 }), fc.string({ unit: 'grapheme', maxLength: 12 })),
    );
    await fc.assert(
      fc.asyncProperty(address, async ([segment, query]) => {
        const path = `/v1/pets/${encodeURIComponent(segment.toWellFormed())}?${new URLSearchParams(query).toString()}`;
        expect((await shop.request('GET', path)).status).toBeLessThan(500);
        expect((await shop.request('GET', `/v1/pets?${new URLSearchParams(query).toString()}`)).status).toBeLessThan(500);
      }),
      RUNS,
    );
  });

  it('causes no server error with random headers', async () => {
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
        for (const [method, path] of [...operationsWithBody(), ['GET', `/v1/pets/${petId}`] as const])
          expect((await shop.request(method, path, { body: {}, headers })).status).toBeLessThan(500);
      }),
      RUNS,
    );
  });
});

/** Whether a value can be sent as JSON: cycles and bigints cannot. */
const isJson = (value: unknown): boolean => {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
};
