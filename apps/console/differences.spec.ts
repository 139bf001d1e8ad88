import { describe, expect, it } from '@jest/globals';
import { differencesOf, stateFields, valueText } from './differences.js';

describe('the differences of two states', () => {
  it('are fields that changed, came or went', () =>
    expect(
      differencesOf(
        { id: '1', price: '5.00', color: 'red', medicalInfo: { vaccinated: false, chip: 'x' }, tags: ['a'] },
        { id: '1', price: '6.00', size: 2, medicalInfo: { vaccinated: true, chip: 'x' }, tags: ['a', 'b'] },
      ),
    ).toEqual([
      { field: 'price', from: '5.00', to: '6.00' },
      { field: 'color', from: 'red' },
      { field: 'medicalInfo.vaccinated', from: false, to: true },
      { field: 'tags', from: ['a'], to: ['a', 'b'] },
      { field: 'size', to: 2 },
    ]));

  it('tell a missing field from an empty one', () => {
    expect(differencesOf({ a: null }, {})).toEqual([{ field: 'a', from: null }]);
    expect(differencesOf({ a: {} }, { a: {} })).toEqual([]);
    expect(differencesOf({ a: {} }, { a: { b: 1 } })).toEqual([
      { field: 'a', from: {} },
      { field: 'a.b', to: 1 },
    ]);
  });
});

describe('a value in words', () => {
  it.each([
    [null, 'erased or empty'],
    [{ withheld: true }, 'withheld'],
    [true, 'yes'],
    ['', '(empty text)'],
    ['<svg onload>', '<svg onload>'],
    [['a', 'b'], 'a, b'],
    [[], '(empty list)'],
    [[{ a: 1 }], '[{"a":1}]'],
    [7, '7'],
    [undefined, ''],
  ])('%j: %s', (value, text) => expect(valueText(value)).toBe(text));

  it('is one value if it is withheld', () => expect(stateFields({ a: { b: { withheld: true } } })).toEqual([['a.b', { withheld: true }]]));
});
