import { describe, expect, it } from '@jest/globals';
import { InventoryQuery } from '../../inventories/inventory.dto.js';
import { paymentShape } from '../../payments/payment.shape.js';
import { ClassicTagsQuery } from '../../classic/pets/pet.dto.js';
import { PetRequest } from '../../pets/pet.dto.js';
import { validateAgeRange, PetListQuery } from '../../pets/pet-list.dto.js';
import { PetSearch, validateSearchRange } from '../../pets/pet-search.dto.js';
import { OrderRequest } from '../../orders/order.dto.js';
import { UserChanges } from '../../users/user.dto.js';
import { queryShapeOf, type RawQuery } from './query-shape.js';
import { shapeOf, type Shape } from './shape.js';

const LUNA = { name: 'Luna', species: 'DOG', ageMonths: 18 };

const faults = (shape: Shape<object>, value: unknown): readonly string[] => {
  const result = shape.compile()(value);
  return 'errors' in result ? result.errors.map(({ field, code }) => `${field} ${code}`).sort() : [];
};
const petFaults = (change: object): readonly string[] => faults(shapeOf(PetRequest), { ...LUNA, ...change });

describe('a body', () => {
  it('that is empty has one error for every missing field', () =>
    expect(faults(shapeOf(PetRequest), {})).toEqual(['ageMonths required', 'name required', 'species required']));

  it.each<[object, readonly string[]]>([
    [{ name: 5 }, ['name invalid_type']],
    [{ name: null }, ['name required']],
    [{ name: 5, breed: null, medicalInfo: null }, ['name invalid_type']],
    [{ photos: [null] }, ['photos[0] invalid_type']],
    [{ unknown: null }, ['unknown unknown_property']],
    [{ name: '' }, ['name too_short']],
    [{ name: 'x'.repeat(51) }, ['name too_long']],
    [{ name: '😀'.repeat(50) }, []],
    [{ name: ' \t' }, ['name INVALID_FORMAT']],
    [{ species: 'DIG' }, ['species invalid_enum']],
    [{ species: 5 }, ['species invalid_type']],
    [{ ageMonths: '18' }, ['ageMonths invalid_type']],
    [{ ageMonths: 1.5 }, ['ageMonths invalid_type']],
    [{ ageMonths: -1 }, ['ageMonths too_small']],
    [{ ageMonths: 1e300 }, ['ageMonths too_big']],
    [{ goodWithKids: 'yes' }, ['goodWithKids invalid_type']],
    [{ price: '1e3' }, ['price INVALID_FORMAT']],
    [{ price: 250 }, ['price invalid_type']],
    [{ currency: 'XYZ' }, ['currency INVALID_FORMAT']],
    [{ photos: {} }, ['photos invalid_type']],
    [{ photos: ['https://pets.test/a.jpg', 'nowhere', 5] }, ['photos[1] INVALID_FORMAT', 'photos[2] invalid_type']],
    [{ photos: Array.from({ length: 101 }, () => 'https://pets.test/a.jpg') }, ['photos too_long']],
    [{ medicalInfo: [] }, ['medicalInfo invalid_type']],
    [{ medicalInfo: { foo: 1, vaccinated: null } }, ['medicalInfo.foo unknown_property']],
    [{ description: 'A\tB\nC' }, []],
    [{ description: 'A\u0000' }, ['description INVALID_FORMAT']],
    [{ breed: 'A\u001b[31m' }, ['breed INVALID_FORMAT']],
    [{ medicalInfo: { healthNotes: 'A\u0085' } }, ['medicalInfo.healthNotes INVALID_FORMAT']],
    [{ foo: 1, bar: 2 }, ['bar unknown_property', 'foo unknown_property']],
    [{ status: 'SOLD' }, ['status invalid_enum']],
  ])('with %j has the errors %j', (change, expected) => expect(petFaults(change)).toEqual(expected));

  it('with an unknown enum value has an error that lists the valid values, but not the sent one', () => {
    const result = shapeOf(PetRequest).compile()({ ...LUNA, species: 'secret-1234' });
    expect(result).toEqual({
      errors: [{ field: 'species', code: 'invalid_enum', message: 'must be one of DOG, CAT, RABBIT, BIRD, REPTILE, OTHER' }],
    });
  });

  it.each([null, [], 'text', 5, true])('must be an object, not %j', (value) =>
    expect(faults(shapeOf(PetRequest), value)).toEqual(['body invalid_type']),
  );

  it('is the same with null and without an optional or read-only member, also in a nested object', () => {
    const nulls = { breed: null, createdAt: null, medicalInfo: { vaccinated: true, healthNotes: null } };
    const result = shapeOf(PetRequest).compile()({ ...LUNA, ...nulls });
    expect(JSON.stringify(result)).toBe(JSON.stringify({ value: { ...LUNA, medicalInfo: { vaccinated: true } } }));
  });

  it('keeps null where null removes a value', () =>
    expect(shapeOf(UserChanges).compile()({ phone: null, username: null })).toEqual({ value: { phone: null } }));

  it.each([
    ['username=ann&password=secret-1234', 'body'],
    ['{"password":"secret-1234"}', 'body'],
    ['x'.repeat(41), 'body'],
    ['user-name_2.x', 'user-name_2.x'],
  ])('repeats the name of an unknown member only if it looks like a name: %s', (name, field) => {
    const result = shapeOf(PetRequest).compile()({ ...LUNA, [name]: '' });
    expect('errors' in result && result.errors.map((error) => [error.field, error.code])).toEqual([[field, 'unknown_property']]);
    if (field === 'body') expect(JSON.stringify(result)).not.toContain('secret');
  });

  it('may have enums in any case and with - or _, and currencies in any case', () => {
    expect(shapeOf(PetRequest).compile()({ ...LUNA, species: 'dog', status: 'Not-Available', currency: 'usd' })).toEqual({
      value: { ...LUNA, status: 'NOT_AVAILABLE', currency: 'USD' },
    });
  });

  it('may have read-only fields with any value', () =>
    expect(petFaults({ id: 5, createdAt: null, updatedAt: {}, tenantId: 'x' })).toEqual([]));

  it('with 100,000 nested lists is rejected without a stack overflow', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(petFaults({ foo: deep, name: deep })).toEqual(['foo unknown_property', 'name invalid_type']);
  });

  it('is checked across fields only if each field is valid', () => {
    const search = shapeOf(PetSearch, [validateSearchRange]);
    expect(faults(search, { criteria: { ageRange: { min: 5, max: 4 } } })).toEqual(['criteria.ageRange.min too_big']);
    expect(faults(search, { criteria: { ageRange: { min: 5, max: -4 } } })).toEqual(['criteria.ageRange.max too_small']);
  });

  it.each([
    ['2026-02-28', []],
    ['2026-02-30', ['shipDate INVALID_FORMAT']],
    ['2026-2-3', ['shipDate INVALID_FORMAT']],
    ['2026-02-28T00:00:00Z', ['shipDate INVALID_FORMAT']],
  ])('with the shipDate %s has the errors %j', (shipDate, expected) =>
    expect(faults(shapeOf(OrderRequest), { petId: '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60', shipDate })).toEqual(expected),
  );
});

describe('a list of 200,000 items', () => {
  it('is rejected without an error for each item', () => {
    const read = shapeOf(PetSearch, [validateSearchRange]).compile();
    const result = read({ criteria: { species: Array<string>(200_000).fill('q') } });
    const errors = 'errors' in result ? result.errors : [];
    expect(errors).toContainEqual(expect.objectContaining({ field: 'criteria.species', code: 'too_long' }));
    expect(errors.length).toBe(22);
  });
});

describe('a query', () => {
  const read = queryShapeOf(PetListQuery, [validateAgeRange]).compile();
  const sentAs = (raw: RawQuery): string =>
    `?${Object.entries(raw)
      .flatMap(([name, values]) => [values ?? []].flat().map((value) => `${name}=${value}`))
      .join('&')}`;
  const failed = (raw: RawQuery) => {
    const result = read(raw, sentAs(raw));
    return 'errors' in result
      ? { malformed: result.malformed, errors: result.errors.map(({ field, code }) => `${field} ${code}`).sort() }
      : null;
  };

  it('is parsed to the types of its parameters', () =>
    expect(read({ species: 'dog', ageMin: '6', goodWithKids: 'true', page: '2' }, '')).toEqual({
      value: { species: 'DOG', ageMin: 6, goodWithKids: true, page: 2 },
    }));

  it.each(['true', 'True', 'TRUE', 'tRue'])('has true in any case, as three large HTTP libraries write it: %s', (goodWithKids) =>
    expect(read({ goodWithKids }, '')).toEqual({ value: { goodWithKids: true } }),
  );

  it.each<[RawQuery, boolean, readonly string[]]>([
    [{ limit: 'abc' }, true, ['limit invalid_type']],
    [{ limit: '' }, true, ['limit invalid_type']],
    [{ limit: '1e1' }, true, ['limit invalid_type']],
    [{ goodWithKids: 'yes' }, true, ['goodWithKids invalid_type']],
    [{ foo: '1' }, true, ['foo unknown_parameter']],
    [{ status: ['PENDING', 'ADOPTED'] }, true, ['status repeated']],
    [{ page: '0' }, false, ['page too_small']],
    [{ limit: '101' }, false, ['limit too_big']],
    [{ page: '99999999999999999999' }, false, ['page too_big']],
    [{ status: 'NOT_AVAILABLE' }, false, ['status invalid_enum']],
    [{ ageMin: '9', ageMax: '3' }, false, ['ageMin too_big']],
    [{ page: '0', limit: 'abc', size: 'HUGE' }, true, ['limit invalid_type', 'page too_small', 'size invalid_enum']],
  ])('%j is malformed: %s, and has the errors %j', (raw, malformed, errors) => expect(failed(raw)).toEqual({ malformed, errors }));

  it('may have a list with commas, as repeated parameters, or both', () => {
    const raw = { status: ['available,placed', 'Shipped'] };
    expect(queryShapeOf(InventoryQuery).compile()(raw, sentAs(raw))).toEqual({ value: { status: ['AVAILABLE', 'placed', 'shipped'] } });
  });

  it('splits a list before it is decoded, so that an item may have a comma', () => {
    const sent = '/v1/pets?tags=shy%2C+but+kind,old&t%61gs=small%2csweet';
    expect(queryShapeOf(ClassicTagsQuery).compile()({ tags: ['shy, but kind,old', 'small,sweet'] }, sent)).toEqual({
      value: { tags: ['shy, but kind', 'old', 'small,sweet'] },
    });
  });
});

describe('a payment', () => {
  const terms = { amount: '250.00', currency: 'usd' };
  const card = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2031 };

  it.each<[string, unknown, readonly string[]]>([
    ['by card', { ...terms, source: card }, []],
    ['by card in upper case', { ...terms, source: { ...card, object: 'CARD' } }, []],
    ['by account', { ...terms, source: { object: 'bank_account', number: '000123456789', sortCode: '11-00-00' } }, []],
    [
      'by account in the second form (contract 15.7)',
      {
        ...terms,
        source: {
          object: 'BANK_ACCOUNT',
          accountNumber: '000123456789',
          routingNumber: '110000000',
          accountHolderName: 'Ann',
          accountType: 'CHECKING',
        },
      },
      [],
    ],
    ['without a source', terms, ['source required']],
    ['with a source that is not an object', { ...terms, source: 'card' }, ['source invalid_type']],
    ['with a source without object', { ...terms, source: {} }, ['source.object required']],
    [
      'with a source of another kind',
      { amount: 'x', source: { object: 'cash' } },
      ['amount INVALID_FORMAT', 'currency required', 'source.object invalid_enum'],
    ],
    ['with a wrong check digit', { ...terms, source: { ...card, number: '4242424242424241' } }, ['source.number INVALID_FORMAT']],
    ['with a wrong cvc', { ...terms, source: { ...card, cvc: '12' } }, ['source.cvc INVALID_FORMAT']],
    ['with account fields on a card', { ...terms, source: { ...card, sortCode: '1' } }, ['source.sortCode unknown_property']],
    ['that is not an object', [], ['body invalid_type']],
  ])('%s has the errors %j', (_, value, expected) => expect(faults(paymentShape, value)).toEqual(expected));

  it('has errors that contain neither its card number nor its cvc', () => {
    const result = paymentShape.compile()({ ...terms, source: { ...card, number: '4111111111111112', cvc: '98765' } });
    expect(JSON.stringify(result)).not.toMatch(/4111|98765/);
  });
});
