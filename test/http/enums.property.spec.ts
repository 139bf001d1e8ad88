import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { openShop, PLAIN_PET, type Page, type Pet, type Shop } from './shop.js';

/** A fixed seed makes failures reproducible. */
const RUNS = { numRuns: 20, seed: 2026 };

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

const anyCaseOfLetter = (letter: string) =>
  fc.constantFrom(...new Set([letter.toLowerCase(), letter.toUpperCase(), ...(letter === '_' ? ['-'] : [])]));
/** Arbitrary spellings of a value: each letter in upper or lower case, and each `_` either kept or replaced by `-`. */
const anyCase = (value: string) => fc.tuple(...[...value].map(anyCaseOfLetter)).map((letters) => letters.join(''));

/** Proves contract 3.2. */
describe('enums', () => {
  it.each([
    ['species', ['DOG', 'CAT', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER']],
    ['size', ['SMALL', 'MEDIUM', 'LARGE']],
    ['gender', ['MALE', 'FEMALE', 'UNKNOWN']],
    ['status', ['AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE']],
  ])('in the field %s are accepted in upper and lower case, and returned in one form', async (field, values) => {
    const enumText = fc.constantFrom(...values).chain((value) => anyCase(value).map((text) => [value, text] as const));
    await fc.assert(
      fc.asyncProperty(enumText, async ([value, text]) => {
        const { json } = await shop.requestAsStaff<Pet>('POST', '/v1/pets', { body: { ...PLAIN_PET, [field]: text } });
        expect(json).toMatchObject({ [field]: value });
      }),
      RUNS,
    );
  });

  it('in a query are accepted in upper and lower case, too', async () => {
    await fc.assert(
      fc.asyncProperty(anyCase('DOG'), anyCase('SMALL'), anyCase('AVAILABLE'), async (species, size, status) => {
        const { status: code, json } = await shop.request<Page<Pet>>('GET', `/v1/pets?species=${species}&size=${size}&status=${status}`);
        expect([code, json.links.self]).toEqual([200, expect.stringContaining('species=DOG')]);
      }),
      RUNS,
    );
  });
});
