import { describe, expect, it } from '@jest/globals';
import { CHECKPOINT_STREAM } from '../domain/checkpoints/checkpoint.events.js';
import { STREAM_PREFIXES } from '../domain/events.js';
import * as aggregates from './aggregates.js';

describe('the streams of the store', () => {
  it('are exactly the streams of all aggregates and the stream of checkpoints', () => {
    const named = Object.values(aggregates).map(({ category }) => `${category}-`);
    expect(STREAM_PREFIXES.toSorted()).toEqual([...named, CHECKPOINT_STREAM].toSorted());
  });
});
