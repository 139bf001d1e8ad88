import { describe, expect, it } from '@jest/globals';
import { numbersDecider, type NumbersState } from './numbers.decider.js';

const reserve = (count: number, state: NumbersState = numbersDecider.initial) =>
  numbersDecider.decide({ type: 'ReserveNumbers', data: { count } }, state);

describe('reserving numbers', () => {
  it('starts at 1', () => expect(reserve(100)).toEqual([{ type: 'NumbersReserved', data: { first: 1, last: 100 } }]));

  it('continues after the last block, so that no number is given twice', () =>
    expect(reserve(50, { tenant: 'shared', last: 100 })).toEqual([{ type: 'NumbersReserved', data: { first: 101, last: 150 } }]));
});
