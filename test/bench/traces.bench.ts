import { fork } from 'node:child_process';
import { once } from 'node:events';
import { openCollector } from '../servers/collector.js';
import { loadFor, median, type Requests } from './load.js';
import { NEW_PET } from './new-pet.js';
import type { TracedServer } from './traced-server.js';

const PROCESSES = 5;
const ROUNDS = 8;
/** Seconds of a round. Rounds are short and alternate, so that other programs disturb both interfaces equally. */
const SECONDS = 1;
const WARM_UP = 3;
const PETS = 100;
export const REQUESTS = ['GET /v1/pets/{id}', 'POST /v1/pets'] as const;

export type RequestName = (typeof REQUESTS)[number];
type ByRequest<T> = Readonly<Record<RequestName, T>>;

/** Requests per second of processor time with and without traces: medians of the rounds in one process. */
export type TracingCost = { readonly on: number; readonly off: number };

/**
 * Starts several processes of traced-server.ts, one after another. Each has two interfaces: one sends its traces to a collector,
 * the other sends none. Measures both in alternating rounds. Returns the costs in each process.
 */
export const tracesBench = async (dataDir: string, token: string): Promise<readonly ByRequest<TracingCost>[]> => {
  const collector = await openCollector();
  const costs: ByRequest<TracingCost>[] = [];
  try {
    while (costs.length < PROCESSES) {
      costs.push(await measureProcess(dataDir, token, collector.receiver.url));
      const ratios = REQUESTS.map((name) => `${name} ${ratioOf(costs.at(-1)?.[name]).toFixed(3)}`);
      process.stderr.write(`traces: process ${costs.length} of ${PROCESSES}: ${ratios.join(', ')}\n`);
    }
    if (collector.receiver.received.length === 0) throw new Error('the collector received nothing');
  } finally {
    await collector.receiver.close();
  }
  return costs;
};

/** Returns the ratio of the rate with traces to the rate without traces, or NaN if there is no measurement. */
export const ratioOf = (cost: TracingCost | undefined): number => (cost ? cost.on / cost.off : NaN);

/** Starts a service, measures each kind of request on both of its interfaces, and stops it. */
const measureProcess = async (dataDir: string, token: string, collector: string): Promise<ByRequest<TracingCost>> => {
  // The delay and the format of the export keep their defaults.
  const env = { ...process.env, PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'warn', DATA_DIR: dataDir };
  const service = fork('dist/test/bench/traced-server.js', [collector], { env, execArgv: ['--no-warnings'] });
  const failed = once(service, 'exit').then(([code]) => Promise.reject(new Error(`the service ended with ${String(code)}`)));
  failed.catch(() => undefined);
  const [urls] = (await Promise.race([once(service, 'message'), failed])) as [TracedServer];
  try {
    const requests = await requestsOf(urls.off, token);
    const costs = {} as Record<RequestName, TracingCost>;
    for (const name of REQUESTS) costs[name] = await compare(urls, service.pid ?? 0, requests[name]);
    return costs;
  } finally {
    service.disconnect();
    await failed.catch(() => undefined);
  }
};

const compare = async (urls: TracedServer, pid: number, requests: Requests): Promise<TracingCost> => {
  const rates: { on: number[]; off: number[] } = { on: [], off: [] };
  for (const url of [urls.off, urls.on]) await loadFor(url, pid, requests, WARM_UP);
  for (let round = 0; round < ROUNDS; round++)
    for (const kind of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const))
      rates[kind].push((await loadFor(urls[kind], pid, requests, SECONDS)).requestsPerCpuSecond);
  return { on: median(rates.on), off: median(rates.off) };
};

const requestsOf = async (url: string, token: string): Promise<ByRequest<Requests>> => {
  const { data } = (await (await fetch(`${url}/v1/pets?limit=${PETS}`)).json()) as { readonly data: readonly { readonly id: string }[] };
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return {
    'GET /v1/pets/{id}': { method: 'GET', paths: data.map(({ id }) => `/v1/pets/${id}`) },
    'POST /v1/pets': { method: 'POST', paths: ['/v1/pets'], headers, body: JSON.stringify(NEW_PET) },
  };
};
