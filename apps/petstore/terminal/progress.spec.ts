import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { progressBar } from './progress.js';

describe('the progress of long work', () => {
  afterEach(() => void jest.restoreAllMocks());

  it('counts the time from when the work began, also before its size was known', () => {
    const lines: string[] = [];
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
    progressBar(1_200, 'deliveries', performance.now() - 60_000).done(1_200);
    expect(lines).toEqual([expect.stringMatching(/1,200 deliveries in 60\.\d s, 20 a second\n$/)]);
  });
});
