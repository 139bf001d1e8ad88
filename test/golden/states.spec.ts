import { describe, expect, it } from '@jest/globals';
import { assertAccepted } from './golden-files.js';
import { aggregates, stateChange, statesOf } from './golden-states.js';

/** Snapshots contain states as JSON, see `versionOf` in libs/eventsourcing/streams/stream-loader.ts. */
describe.each(aggregates.map((aggregate) => [aggregate.category, aggregate] as const))('the state of a %s', (_, aggregate) => {
  it('has the shape of its version', () => assertAccepted(stateChange(aggregate)));

  it('is the same after it was stored as JSON', () => {
    const states = statesOf(aggregate);
    expect(JSON.parse(JSON.stringify(states))).toEqual(states);
  });
});
