import { describe, expect, it } from '@jest/globals';
import { amountOf, countOf } from './number-context.js';

describe('a number', () => {
  it.each([
    ['300', '300.00'],
    ['99.5', '99.50'],
    ['99,50', '99.50'],
    ['1,500', '1500.00'],
    ['1.500', '1500.00'],
    ['1,500.25', '1500.25'],
    ['007', '7.00'],
    ['0', '0.00'],
    ['99999999999', null],
    ['1.2345', null],
    ['two', null],
  ])('%s is the amount %s', (text, amount) => expect(amountOf(text)).toBe(amount));

  it.each([
    ['3', 3],
    ['2.5', 2.5],
    ['two', 2],
    ['a', 1],
    ['dog', null],
    ['constructor', null],
  ])('%s is the count %s', (text, count) => expect(countOf(text)).toBe(count));
});
