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
 * What a process did in each of the last samples, the oldest first. `end` is when the last one was taken, in ISO 8601. All lists have
 * the same length.
 */
export type Samples = {
  readonly every: typeof SAMPLE_EVERY;
  readonly end: string;
  readonly values: {
    /** Responses, and those of 500 or more. */
    readonly requests: readonly number[];
    readonly errors: readonly number[];
    /** The 99th percentile of the times of responses in milliseconds, up to a fifth too large. 0 without responses. */
    readonly slow: readonly number[];
    /** Attempts of deliveries that were accepted, and those that were not. */
    readonly delivered: readonly number[];
    readonly failed: readonly number[];
    /** In seconds. Null: unknown. */
    readonly lag: readonly (number | null)[];
    /** The percentage of a core. */
    readonly cpu: readonly number[];
    /** In MiB. */
    readonly memory: readonly number[];
  };
};

type Name = keyof Samples['values'];
type Sample = { readonly [N in Name]: Samples['values'][N][number] };

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
  private cpuBefore = 0;
  private end: Date;

  constructor(startedAt: Date) {
    this.end = startedAt;
  }

  requestServed({ status, seconds }: Pick<ServedRequest, 'status' | 'seconds'>): void {
    this.counts.requests++;
    if (status >= 500) this.counts.errors++;
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
      cpu: rounded((cpuMicroseconds - this.cpuBefore) / seconds / 10_000),
      memory: Math.round(memoryBytes / 2 ** 20),
    });
    if (this.samples.length > MAX_SAMPLES) this.samples.shift();
    this.counts = { requests: 0, errors: 0, delivered: 0, failed: 0 };
    this.times.fill(0);
    this.cpuBefore = cpuMicroseconds;
    this.end = now;
  }

  /** Returns the samples that were taken. */
  all(): Samples {
    const of = <N extends Name>(name: N) => this.samples.map((sample) => sample[name]);
    const values = {
      requests: of('requests'),
      errors: of('errors'),
      slow: of('slow'),
      delivered: of('delivered'),
      failed: of('failed'),
      lag: of('lag'),
      cpu: of('cpu'),
      memory: of('memory'),
    };
    return { every: SAMPLE_EVERY, end: this.end.toISOString(), values };
  }

  private slowest(): number {
    let above = this.counts.requests / 100;
    for (let bucket = BUCKETS - 1; bucket >= 0; bucket--) {
      const count = this.times[bucket] ?? 0;
      if (count > 0 && count >= above) return rounded(FIRST_BUCKET * FACTOR ** bucket);
      above -= count;
    }
    return 0;
  }
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Returns the samples that were taken after a time, or null if there are none. Times are in ISO 8601. */
export const samplesAfter = ({ every, end, values }: Samples, after: string | undefined): Samples | null => {
  if (after === undefined) return { every, end, values };
  const count = Math.min(values.requests.length, Math.round((Date.parse(end) - Date.parse(after)) / 1_000 / every));
  if (count <= 0) return null;
  const tail = <T>(list: readonly T[]): readonly T[] => list.slice(-count);
  return {
    every,
    end,
    values: {
      requests: tail(values.requests),
      errors: tail(values.errors),
      slow: tail(values.slow),
      delivered: tail(values.delivered),
      failed: tail(values.failed),
      lag: tail(values.lag),
      cpu: tail(values.cpu),
      memory: tail(values.memory),
    },
  };
};
