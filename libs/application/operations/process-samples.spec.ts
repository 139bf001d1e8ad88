import { describe, expect, it } from '@jest/globals';
import { ProcessSamples, samplesAfter } from './process-samples.js';

const START = Date.parse('2026-01-02T00:00:00Z');
const at = (seconds: number): Date => new Date(START + seconds * 1_000);
const IDLE = { lag: 0, cpuMicroseconds: 0, memoryBytes: 0 };

/** Proves contract 43.12. */
describe('the samples of a process', () => {
  it('count what happened since the last sample', () => {
    const samples = new ProcessSamples(at(0));
    for (const status of [200, 404, 500, 503]) samples.requestServed({ status, seconds: 0.001 });
    samples.deliveryAttempted('webhook', 'delivered');
    samples.deliveryAttempted('callback', 'gone');
    samples.take(at(10), { lag: 2.345, cpuMicroseconds: 500_000, memoryBytes: 100 * 2 ** 20 });
    samples.take(at(20), { lag: null, cpuMicroseconds: 600_000, memoryBytes: 101 * 2 ** 20 });
    expect(samples.all()).toEqual({
      every: 10,
      end: at(20).toISOString(),
      taken: 2,
      values: {
        requests: [4, 0],
        errors: [2, 0],
        slow: [expect.any(Number), 0],
        delivered: [1, 0],
        failed: [1, 0],
        lag: [2.3, null],
        cpu: [0, 1],
        memory: [100, 101],
      },
    });
  });

  it.each([
    [[1, 2, 3], 3],
    [[...Array.from({ length: 990 }, () => 2), ...Array.from({ length: 10 }, () => 700)], 700],
    [[...Array.from({ length: 995 }, () => 2), ...Array.from({ length: 5 }, () => 700)], 2],
    [[0, 0], 0.1],
    [[90_000], 90_000],
  ])('have the 99th percentile of times, up to a fifth too large: %#', (milliseconds, expected) => {
    const samples = new ProcessSamples(at(0));
    for (const time of milliseconds) samples.requestServed({ status: 200, seconds: time / 1_000 });
    samples.take(at(10), IDLE);
    const slow = samples.all().values.slow[0] ?? 0;
    expect(slow).toBeGreaterThanOrEqual(expected - 0.1);
    expect(slow).toBeLessThanOrEqual(expected * 1.21);
  });

  it('are those of an hour, however long the process runs', () => {
    const samples = new ProcessSamples(at(0));
    for (let n = 1; n <= 1_000; n++) {
      samples.requestServed({ status: 200, seconds: 0 });
      samples.take(at(n * 10), { ...IDLE, memoryBytes: n * 2 ** 20 });
    }
    const { memory } = samples.all().values;
    expect([memory.length, memory[0], memory.at(-1)]).toEqual([360, 641, 1_000]);
  });

  it('are sent once: later only those after the last that was sent', () => {
    const samples = new ProcessSamples(at(0));
    for (let n = 1; n <= 5; n++) samples.take(at(n * 10), { ...IDLE, memoryBytes: n * 2 ** 20 });
    const all = samples.all();
    expect(samplesAfter(all, 0)).toEqual(all);
    expect(samplesAfter(all, 3)?.values.memory).toEqual([4, 5]);
    expect(samplesAfter(all, 5)).toBeNull();
  });

  it('leave the times of streams out, which last as long as their clients want', () => {
    const samples = new ProcessSamples(at(0));
    samples.requestServed({ status: 200, seconds: 3_600, isStream: true });
    samples.requestServed({ status: 200, seconds: 0.001 });
    samples.take(at(10), IDLE);
    const { requests, slow } = samples.all().values;
    expect([requests, (slow[0] ?? 0) < 2]).toEqual([[2], true]);
  });
});
