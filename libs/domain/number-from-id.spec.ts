import { describe, expect, it } from '@jest/globals';
import { numberFromId } from './number-from-id.js';

describe('the number of a resource that was recorded without a number', () => {
  it.each([
    ['01a0e5b0-0000-7000-8000-000000000001', 2 ** 52 + 1],
    ['01a0e5b0-0000-7000-8abc-ffffffffffff', 2 ** 52 + 0xcffffffffffff],
    ['01a0e5b0-0000-7000-bfff-ffffffffffff', Number.MAX_SAFE_INTEGER],
  ])('is 2^52 plus the last 52 bits of %s', (id, number) => expect(numberFromId(id)).toBe(number));

  it('is greater than every number that a tenant can reserve', () =>
    expect(numberFromId('01a0e5b0-0000-7000-8000-000000000000')).toBe(2 ** 52));
});
