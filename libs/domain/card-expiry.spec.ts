import { describe, expect, it } from '@jest/globals';
import { hasExpired } from './card-expiry.js';

describe('a card', () => {
  it.each([
    [1, 2026, '2026-01-01'],
    [1, 2026, '2026-01-31'],
    [2, 2028, '2028-02-29'],
    [12, 2026, '2026-12-31'],
    [1, 2027, '2026-12-31'],
    [10, 2026, '2026-09-30'],
    [9, 9999, '2026-10-01'],
  ])('of %i/%i is valid on %s', (expMonth, expYear, today) => expect(hasExpired({ expMonth, expYear }, today)).toBe(false));

  it.each([
    [1, 2026, '2026-02-01'],
    [2, 2028, '2028-03-01'],
    [2, 2027, '2027-03-01'],
    [12, 2025, '2026-01-01'],
    [9, 2026, '2026-10-01'],
    [12, 2000, '2026-01-01'],
  ])('of %i/%i has expired on %s', (expMonth, expYear, today) => expect(hasExpired({ expMonth, expYear }, today)).toBe(true));
});
