import { describe, expect, it } from '@jest/globals';
import { STREAM_PREFIXES } from '../domain/events.js';
import * as aggregates from './aggregates.js';

describe('the streams of the store', () => {
  it('are those of every aggregate, and no others', () => {
    const named = Object.values(aggregates).map(({ category }) => `${category}-`);
    expect(STREAM_PREFIXES.toSorted()).toEqual(named.toSorted());
  });
});
