import type { Measure, ProcessSamples } from './shapes.js';

/** The values of one process by their time, which is a multiple of the interval. */
type Series = ReadonlyMap<number, Readonly<Record<Measure, number | null>>>;

/** The samples of all processes. */
export type Samples = ReadonlyMap<string, Series>;

/** Seconds between two samples. */
const EVERY = 10;
/** How many samples are kept: those of an hour. */
export const KEPT = 3_600 / EVERY;

const MEASURES: readonly Measure[] = ['requests', 'errors', 'slow', 'delivered', 'failed', 'lag', 'cpu', 'memory'];

/** Returns the number of the interval of a time. Processes do not sample at the same moment, but are added up. */
const slotOf = (time: number): number => Math.floor(time / 1_000 / EVERY);

const merged = (series: Series | undefined, { end, values }: ProcessSamples): Series => {
  const next = new Map(series);
  const length = Math.max(...MEASURES.map((measure) => values[measure].length));
  const last = slotOf(Date.parse(end));
  for (let index = 0; index < length; index++) {
    const at = (measure: Measure): number | null => values[measure][values[measure].length - length + index] ?? null;
    const sample = Object.fromEntries(MEASURES.map((measure) => [measure, at(measure)])) as Record<Measure, number | null>;
    next.set(last - (length - 1 - index), sample);
  }
  return next;
};

/**
 * Returns the samples with further ones. After a reconnection the last hour comes again: a sample replaces that of the same
 * time. Those of more than an hour before the newest are left out, and processes without any.
 */
export const mergeSamples = (samples: Samples, added: readonly ProcessSamples[]): Samples => {
  const all = new Map(samples);
  for (const one of added) all.set(one.id, merged(all.get(one.id), one));
  const newest = Math.max(...[...all.values()].flatMap((series) => [...series.keys()]));
  const kept = [...all].map(([id, series]) => [id, new Map([...series].filter(([slot]) => slot > newest - KEPT))] as const);
  return new Map(kept.filter(([, series]) => series.size > 0));
};

/** How the values of several processes become one: counts are added, of times the worst counts. */
const COMBINED: Readonly<Record<Measure, 'sum' | 'largest'>> = {
  requests: 'sum',
  errors: 'sum',
  slow: 'largest',
  delivered: 'sum',
  failed: 'sum',
  lag: 'largest',
  cpu: 'sum',
  memory: 'sum',
};

/** A line of a chart: the times in seconds since 1970, and the value at each of them, or null without one. */
export type Line = { readonly times: readonly number[]; readonly values: readonly (number | null)[] };

/** A process that has sent nothing for so many intervals is away. */
const AWAY = 3;

const newestOf = (series: Series): number => Math.max(...series.keys());

/** Returns the last interval of which all processes have reported. With a later one, a sum would seem to fall at its end. */
const lastSlot = (series: readonly Series[], newest: number): number =>
  Math.min(newest, ...series.map(newestOf).filter((slot) => slot > newest - AWAY));

/** Returns one line of a measure for the chosen processes, over the last hour. */
export const lineOf = (samples: Samples, measure: Measure, chosen: (id: string) => boolean): Line => {
  const slots = [...samples.values()].flatMap((series) => [...series.keys()]);
  if (slots.length === 0) return { times: [], values: [] };
  const series = [...samples].filter(([id]) => chosen(id)).map(([, one]) => one);
  const [first, last] = [Math.min(...slots), lastSlot(series, Math.max(...slots))];
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const combine = (values: readonly number[]): number =>
    COMBINED[measure] === 'sum' ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  return {
    times: all.map((slot) => (slot + 1) * EVERY),
    values: all.map((slot) => {
      const values = series.flatMap((one) => one.get(slot)?.[measure] ?? []);
      return values.length === 0 ? null : combine(values);
    }),
  };
};

/** What a line says in short. Null without values. */
export type Summary = { readonly last: number; readonly largest: number; readonly largestAt: number; readonly total: number };

/** Returns the last and the largest value of a line, and the sum of all. */
export const summaryOf = ({ times, values }: Line): Summary | null => {
  const given = values.flatMap((value, index) => (value === null ? [] : [{ value, time: times[index] ?? 0 }]));
  const last = given.at(-1);
  if (last === undefined) return null;
  const largest = given.reduce((most, one) => (one.value > most.value ? one : most));
  return { last: last.value, largest: largest.value, largestAt: largest.time, total: given.reduce((sum, { value }) => sum + value, 0) };
};

/** The samples of five minutes. */
const RECENT = 30;

/** Returns the attempts of deliveries of all processes in the last five minutes. */
export const recentAttempts = (samples: Samples): { readonly delivered: number; readonly failed: number } => {
  const sumOf = (measure: Measure): number =>
    lineOf(samples, measure, () => true)
      .values.slice(-RECENT)
      .reduce<number>((sum, value) => sum + (value ?? 0), 0);
  return { delivered: sumOf('delivered'), failed: sumOf('failed') };
};
