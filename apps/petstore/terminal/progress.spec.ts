import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { showProgress } from './progress.js';

describe('showProgress', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('shows the time since the start of the work, even if the work started before the call', () => {
    const lines: string[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    const clock = manualClock();
    const begun = clock.elapsed();
    clock.advance(60_000);
    showProgress(clock, 1_200, 'deliveries', begun).done(1_200);
    expect(lines).toEqual([expect.stringMatching(/1,200 deliveries in 60\.0 s, 20 a second\n$/)]);
  });
});
