import { describe, expect, it } from '@jest/globals';
import { KEPT, lineOf, mergeSamples, summaryOf, type Samples } from './samples.js';
import type { ProcessSamples } from './shapes.js';

const NONE: Samples = new Map();
const samples = (id: string, end: string, requests: readonly number[], lag: readonly (number | null)[] = requests): ProcessSamples => {
  const zeros = requests.map(() => 0);
  return {
    id,
    every: 10,
    end,
    values: { requests, errors: zeros, slow: requests, delivered: zeros, failed: zeros, lag, cpu: zeros, memory: zeros },
  };
};
const all = (): boolean => true;
const END = '2026-01-02T03:04:10.000Z';

describe('samples', () => {
  it('are added over processes, also if they sample at other moments of the interval', () => {
    const merged = mergeSamples(NONE, [samples('a', END, [1, 2, 3]), samples('b', '2026-01-02T03:04:14.000Z', [10, 20])]);
    expect(lineOf(merged, 'requests', all).values).toEqual([1, 12, 23]);
    expect(lineOf(merged, 'requests', (id) => id === 'b').values).toEqual([null, 10, 20]);
  });

  it('of times are the largest, and nothing if nobody has one', () => {
    const merged = mergeSamples(NONE, [samples('a', END, [1, 9], [null, null]), samples('b', END, [5, 3], [null, 4])]);
    expect(lineOf(merged, 'slow', all).values).toEqual([5, 9]);
    expect(lineOf(merged, 'lag', all).values).toEqual([null, 4]);
  });

  it('that come again replace the earlier ones, and later ones follow', () => {
    const once = mergeSamples(NONE, [samples('a', END, [1, 2])]);
    const twice = mergeSamples(once, [samples('a', '2026-01-02T03:04:20.000Z', [1, 2, 3])]);
    expect(lineOf(twice, 'requests', all).values).toEqual([1, 2, 3]);
  });

  it('end with the last interval of which all processes have reported, except those that are away', () => {
    const both = mergeSamples(NONE, [samples('a', END, [1, 2]), samples('b', '2026-01-02T03:04:20.000Z', [10, 20, 30])]);
    expect(lineOf(both, 'requests', all).values).toEqual([11, 22]);
    const away = mergeSamples(both, [samples('b', '2026-01-02T03:04:40.000Z', [40, 50])]);
    expect(lineOf(away, 'requests', all).values).toEqual([11, 22, 30, 40, 50]);
  });

  it('show a gap where a process was away', () => {
    const once = mergeSamples(NONE, [samples('a', END, [1])]);
    expect(lineOf(mergeSamples(once, [samples('a', '2026-01-02T03:04:30.000Z', [2])]), 'requests', all).values).toEqual([1, null, 2]);
  });

  it('are kept for an hour, and processes without any are left out', () => {
    const hour = mergeSamples(NONE, [
      samples(
        'a',
        END,
        Array.from({ length: KEPT }, () => 1),
      ),
      samples('old', END, [1]),
    ]);
    const later = mergeSamples(hour, [samples('a', '2026-01-02T04:04:10.000Z', [2])]);
    expect(lineOf(later, 'requests', all).values).toEqual([2]);
    expect([...later.keys()]).toEqual(['a']);
  });

  it('have a summary', () => {
    const line = lineOf(mergeSamples(NONE, [samples('a', END, [1, 7, 2])]), 'requests', all);
    expect(summaryOf(line)).toEqual({ last: 2, largest: 7, largestAt: Date.parse('2026-01-02T03:04:10.000Z') / 1_000, total: 10 });
    expect(summaryOf(lineOf(NONE, 'lag', all))).toBeNull();
  });
});
