import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { monotonic, recordedTimeOf } from './monotonic-clock.js';

const START = '2026-01-02T03:04:05.678Z';
const LATER = '2026-01-02T03:05:05.678Z';

describe('a clock of events', () => {
  it('stays at its last time while the machine’s clock is behind, and then continues', () => {
    const clock = manualClock(START);
    const held = monotonic(clock);
    expect(held.now().toISOString()).toBe(START);
    clock.set('2026-01-01T00:00:00.000Z');
    expect(held.now().toISOString()).toBe(START);
    clock.set(LATER);
    expect(held.now().toISOString()).toBe(LATER);
  });

  it('begins at the time of the last event', () => {
    const clock = manualClock(START);
    const held = monotonic(clock);
    held.advanceTo(new Date(LATER));
    held.advanceTo(new Date(0));
    expect(held.now().toISOString()).toBe(LATER);
  });
});

describe('the time of an event', () => {
  it('is the time in its metadata, and is unknown if the metadata cannot be read', () => {
    expect(recordedTimeOf({ metadata: `{"time":"${LATER}"}` })).toEqual(new Date(LATER));
    for (const metadata of ['', '{}', 'null', '{"time":"soon"}']) expect(recordedTimeOf({ metadata })).toBeNull();
  });
});
