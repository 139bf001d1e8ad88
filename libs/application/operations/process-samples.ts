import type { DeliveryOutcome, Metrics, ServedRequest } from '../../ports/metrics.port.js';

/** Seconds between two samples. */
export const SAMPLE_EVERY = 10;

/** The samples of an hour: a process keeps so many. */
const MAX_SAMPLES = 360;

/** What a process measures of itself when a sample is taken. */
export type Usage = {
  /** The age in seconds of the first event that the slowest reader of the log lacks. Null if this process does not know it. */
  readonly lag: number | null;
  /** The time that the processor has worked for this process since it started, in microseconds. */
  readonly cpuMicroseconds: number;
  readonly memoryBytes: number;
};

/**
 * What is sampled: responses, those of 500 or more, the 99th percentile of their times in milliseconds (up to a fifth too large, 0 without
 * responses), attempts of deliveries that were accepted and those that were not, the lag in seconds (null: unknown), the percentage of a
 * core, and the memory in MiB.
 */
const NAMES = ['requests', 'errors', 'slow', 'delivered', 'failed', 'lag', 'cpu', 'memory'] as const;
type Name = (typeof NAMES)[number];
type Sample = Readonly<Record<Name, number | null>>;

/**
 * What a process did in each of the last samples, the oldest first. `end` is when the last one was taken, in ISO 8601, and `taken` is its
 * number, from 1. All lists have the same length.
 */
export type Samples = {
  readonly every: typeof SAMPLE_EVERY;
  readonly end: string;
  readonly taken: number;
  readonly values: Readonly<Record<Name, readonly (number | null)[]>>;
};

const byName = <T>(valueOf: (name: Name) => T): Readonly<Record<Name, T>> =>
  Object.fromEntries(NAMES.map((name) => [name, valueOf(name)])) as Record<Name, T>;

/** Times are counted in buckets. Each is larger by this factor than the one before, the first one is up to 0.1 ms. */
const FACTOR = 1.2;
const FIRST_BUCKET = 0.1;
const BUCKETS = 80;

const bucketOf = (milliseconds: number): number =>
  Math.min(BUCKETS - 1, Math.max(0, Math.ceil(Math.log(milliseconds / FIRST_BUCKET) / Math.log(FACTOR))));

/** Counts what a process does between two samples, and keeps the samples of an hour (contract 43.12). */
export class ProcessSamples implements Pick<Metrics, 'requestServed' | 'deliveryAttempted'> {
  private readonly samples: Sample[] = [];
  private readonly times = new Uint32Array(BUCKETS);
  private counts = { requests: 0, errors: 0, delivered: 0, failed: 0 };
  /** Null before the first sample: a process has worked before it is sampled. */
  private cpuBefore: number | null = null;
  private taken = 0;
  private end: Date;

  constructor(startedAt: Date) {
    this.end = startedAt;
  }

  requestServed({ status, seconds, isStream }: Pick<ServedRequest, 'status' | 'seconds' | 'isStream'>): void {
    this.counts.requests++;
    if (status >= 500) this.counts.errors++;
    if (isStream) return;
    const bucket = bucketOf(seconds * 1_000);
    this.times[bucket] = (this.times[bucket] ?? 0) + 1;
  }

  deliveryAttempted(_target: 'webhook' | 'callback', outcome: DeliveryOutcome): void {
    if (outcome === 'delivered') this.counts.delivered++;
    else this.counts.failed++;
  }

  /** Takes a sample of what happened since the last one. The oldest one is dropped after an hour. */
  take(now: Date, { lag, cpuMicroseconds, memoryBytes }: Usage): void {
    const seconds = Math.max(1, (now.getTime() - this.end.getTime()) / 1_000);
    this.samples.push({
      ...this.counts,
      slow: this.slowest(),
      lag: lag === null ? null : rounded(lag),
      cpu: rounded((cpuMicroseconds - (this.cpuBefore ?? cpuMicroseconds)) / seconds / 10_000),
      memory: Math.round(memoryBytes / 2 ** 20),
    });
    this.taken++;
    if (this.samples.length > MAX_SAMPLES) this.samples.shift();
    this.counts = { requests: 0, errors: 0, delivered: 0, failed: 0 };
    this.times.fill(0);
    this.cpuBefore = cpuMicroseconds;
    this.end = now;
  }

  /** Returns the samples that were taken. */
  all(): Samples {
    const values = byName((name) => this.samples.map((sample) => sample[name]));
    return { every: SAMPLE_EVERY, end: this.end.toISOString(), taken: this.taken, values };
  }

  private slowest(): number {
    let above = this.times.reduce((sum, count) => sum + count, 0) / 100;
    for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
      const count = this.times[bucket] ?? 0;
      if (count > 0 && count >= above) return rounded(FIRST_BUCKET * FACTOR ** bucket);
      above -= count;
    }
    return 0;
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Returns the samples after the one with this number, or null if there are none. */
export const samplesAfter = ({ values, ...rest }: Samples, number: number): Samples | null => {
  const count = rest.taken - number;
  if (count <= 0) return null;
  return { ...rest, values: byName((name) => values[name].slice(-count)) };
};
