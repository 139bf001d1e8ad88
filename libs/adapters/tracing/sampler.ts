/** The values of OTEL_TRACES_SAMPLER. */
export type SamplerName =
  'always_on' | 'always_off' | 'traceidratio' | 'parentbased_always_on' | 'parentbased_always_off' | 'parentbased_traceidratio';

/** What is recorded. */
export type Sampling = {
  /** The share of new traces that are recorded, from 0 to 1. */
  readonly newTraces: number;
  /** Whether a span that continues a recorded trace is recorded. */
  readonly recordedTraces: boolean;
};

/**
 * Returns what a sampler records. The samplers of the SDK are not used, because the SDK would build a span for each request
 * and then drop it. The caller compares the ratio with a random number, and not with the trace id as the SDK does. This is
 * enough, because the service never continues a trace of a client.
 */
export const samplingOf = (name: SamplerName, ratio: number): Sampling => {
  if (name.endsWith('always_off')) return { newTraces: 0, recordedTraces: name.startsWith('parentbased_') };
  return { newTraces: name.endsWith('traceidratio') ? ratio : 1, recordedTraces: true };
};
