/** One value: its name, its labels and the value. */
export type Sample = { readonly name: string; readonly labels: Readonly<Record<string, string>>; readonly value: number };

/** All values below one line `# TYPE`. */
export type MetricFamily = { readonly name: string; readonly type: string; readonly help: string; readonly samples: readonly Sample[] };

const TYPES = ['counter', 'gauge', 'histogram', 'summary', 'untyped'];
const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{((?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\[\\"n])*",?)*)\})? (\S+)(?: -?\d+)?$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;
const VALUE = /^(?:[+-]?Inf|NaN|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;
const ESCAPES: Readonly<Record<string, string>> = { '\\\\': '\\', '\\"': '"', '\\n': '\n' };
const SUFFIXES: Readonly<Record<string, RegExp>> = { histogram: /_(bucket|sum|count)$/, summary: /_(sum|count)$/ };

const numberOf = (text: string): number => (/inf/i.test(text) ? (text.startsWith('-') ? -Infinity : Infinity) : Number(text));

const parseSample = (line: string): Sample => {
  const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (!VALUE.test(value)) throw new Error(`not a sample: ${line}`);
  const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [
    label,
    text.replace(/\\./g, (found) => ESCAPES[found] ?? found),
  ]);
  return { name, labels: Object.fromEntries(pairs) as Sample['labels'], value: numberOf(value) };
};

/** Returns the name and labels of a value, which identify its series. */
export const seriesOf = ({ name, labels }: Sample): string =>
  `${name}{${Object.entries(labels)
    .map(([label, text]) => `${label}=${JSON.stringify(text)}`)
    .sort()
    .join(',')}}`;

/**
 * Parses the text format of Prometheus, version 0.0.4. Throws on a line that the format does not allow, and on a series that
 * occurs twice. Throws on a value that is not below the `# TYPE` line of its own family.
 */
export const parsePrometheusText = (text: string): readonly MetricFamily[] => {
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  const families: (MetricFamily & { samples: Sample[] })[] = [];
  const seen = new Set<string>();
  let help: { readonly name: string; readonly text: string } | undefined;
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, kind, name = '', rest = ''] = /^# (HELP|TYPE) (\S+) ?(.*)$/.exec(line) ?? [];
    if (kind === 'HELP') help = { name, text: rest };
    else if (kind === 'TYPE') {
      if (!TYPES.includes(rest) || families.some((family) => family.name === name)) throw new Error(`a wrong or repeated type: ${line}`);
      families.push({ name, type: rest, help: help?.name === name ? help.text : '', samples: [] });
    } else if (!line.startsWith('#')) {
      const sample = parseSample(line);
      const family = families.at(-1);
      const isInFamily = sample.name === family?.name || sample.name.replace(SUFFIXES[family?.type ?? ''] ?? '', '') === family?.name;
      if (!family || !isInFamily || seen.has(seriesOf(sample))) throw new Error(`out of place or repeated: ${line}`);
      seen.add(seriesOf(sample));
      family.samples.push(sample);
    }
  }
  return families;
};

/** Fetches and parses metrics. */
export const scrape = async (url: string): Promise<readonly MetricFamily[]> => {
  const response = await fetch(url);
  const type = response.headers.get('content-type');
  if (response.status !== 200 || type !== 'text/plain; version=0.0.4; charset=utf-8') throw new Error(`${response.status} ${type}`);
  return parsePrometheusText(await response.text());
};

/** Returns the values of a scrape: all values, or those with this name. */
export const samplesOf = (families: readonly MetricFamily[], name?: string): readonly Sample[] =>
  families.flatMap(({ samples }) => samples).filter((sample) => name === undefined || sample.name === name);
