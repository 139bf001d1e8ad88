import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createCaller, pollUntil } from './journey.bench.js';
import { removeFolder } from './log.bench.js';
import { cpuSecondsOf, loadFor, median, type Requests, type Round } from './load.js';
import { NEW_PET } from './new-pet.js';
import { startServer, type Server } from './server.js';

const PETS = 20_000;
/** How often both builds are started, and the rounds after each start. Two processes of one build differ by up to a tenth. */
const STARTS = 7;
const ROUNDS = 3;
const SECONDS = 2;
const WARM_UP_SECONDS = 4;
/** Orders that are placed and paid in a round, and how many at once. */
const ORDERS = 200;
const AT_ONCE = 16;
const LISTS = ['DOG', 'CAT', 'RABBIT', 'BIRD'].flatMap((species) =>
  ['SMALL', 'MEDIUM', 'LARGE'].map((size) => `/v1/pets?species=${species}&status=AVAILABLE&size=${size}&limit=20`),
);
const CARD = { object: 'card', number: '4242424242424242', cvc: '123', expMonth: 12, expYear: 2035 };

/** A line of the report: the medians of two builds, and their ratios. */
export type BuildComparison = {
  readonly name: string;
  readonly ours: Round;
  readonly other: Round;
  /** Ours divided by the other: of requests per second, and of requests per second of processor time. */
  readonly ratios: { readonly byTime: number; readonly byCpu: number };
};

/** A build with its folder. */
type Build = { readonly main: string; readonly env: Readonly<Record<string, string>>; readonly token: string };
/** A build that runs. */
type Running = { readonly server: Server; readonly token: string; readonly pets: readonly string[] };
type Measure = (running: Running) => Promise<Round>;
type Pair = { readonly ours: Round; readonly other: Round };

/**
 * Measures two builds of the service, in alternating rounds and several processes, each on a folder of its own with the same pets. `checkout` is a folder
 * in which another commit is built. Rejects if it has no build.
 */
export const compareBench = async (checkout: string): Promise<readonly BuildComparison[]> => {
  const program = resolve(checkout, 'dist/apps/petstore/main.js');
  if (!existsSync(program)) throw new Error(`${program} does not exist: run npm run build in ${checkout}`);
  const [ours, other] = [prepareBuild('dist/apps/petstore/main.js'), prepareBuild(program)];
  const pairs = new Map<string, Pair[]>(SCENARIOS.map(({ name }) => [name, []]));
  try {
    for (let start = 1; start <= STARTS; start++) {
      const running = [await startBuild(ours), await startBuild(other)] as const;
      for (const { name, measure } of SCENARIOS) {
        pairs.get(name)?.push(...(await measurePairs(measure, ...running)));
        process.stderr.write(`${name}: start ${start} of ${STARTS}\n`);
      }
      for (const { server } of running) await server.stop();
    }
  } finally {
    for (const { env } of [ours, other]) removeFolder(env['DATA_DIR'] ?? '');
  }
  return [...pairs].map(([name, measured]) => comparisonOf(name, measured));
};

const prepareBuild = (main: string): Build => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const env = { DATA_DIR: directory, PORT: '0', RATE_LIMIT: '100000000/60s', LOG_LEVEL: 'warn' };
  const run = (...args: readonly string[]): string =>
    execFileSync(process.execPath, ['--no-warnings', main, ...args], { env: { ...process.env, ...env }, encoding: 'utf8' });
  run('seed', '--pets', String(PETS));
  return { main, env, token: run('token', '--scope', 'write:pets write:orders', '--subject', 'bench', '--expires-in', '7200').trim() };
};

const startBuild = async ({ main, env, token }: Build): Promise<Running> => {
  const server = await startServer(main, ['start'], env);
  const pets: string[] = [];
  for (let page = 1; pets.length < 1_000; page++) {
    const response = await fetch(`${server.url}/v1/pets?limit=100&page=${page}`);
    const { data } = (await response.json()) as { data: { id: string }[] };
    pets.push(...data.map(({ id }) => id));
  }
  // A list that is read for the first time waits for its turn to be counted.
  for (const list of LISTS) await fetch(server.url + list);
  return { server, token, pets };
};

const measurePairs = async (measure: Measure, ours: Running, other: Running): Promise<readonly Pair[]> => {
  const pairs: Pair[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Each of the two is first in every other round, because the machine may become slower or faster.
    const first = round % 2 === 0 ? await measure(ours) : null;
    const second = await measure(other);
    pairs.push({ ours: first ?? (await measure(ours)), other: second });
  }
  return pairs;
};

const comparisonOf = (name: string, pairs: readonly Pair[]): BuildComparison => {
  const medianOf = (pick: (pair: Pair) => number): number => median(pairs.map(pick));
  const roundOf = (build: 'ours' | 'other'): Round => ({
    requestsPerSecond: medianOf((pair) => pair[build].requestsPerSecond),
    requestsPerCpuSecond: medianOf((pair) => pair[build].requestsPerCpuSecond),
    p99: medianOf((pair) => pair[build].p99),
  });
  const [ours, other] = [roundOf('ours'), roundOf('other')];
  return {
    name,
    ours,
    other,
    ratios: {
      byTime: ours.requestsPerSecond / other.requestsPerSecond,
      byCpu: ours.requestsPerCpuSecond / other.requestsPerCpuSecond,
    },
  };
};

/** Measures a load of requests. The first round after a start is longer and does not count, because the compiler has not optimized its code. */
const underLoad = (requestsTo: (running: Running) => Requests): Measure => {
  const warm = new WeakSet<Running>();
  return async (running) => {
    const { url, pid } = running.server;
    if (!warm.has(running)) await loadFor(url, pid, requestsTo(running), WARM_UP_SECONDS);
    warm.add(running);
    return loadFor(url, pid, requestsTo(running), SECONDS);
  };
};

const headersOf = ({ token }: Running): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  authorization: `Bearer ${token}`,
});

/** Places and pays orders for new pets, and waits until the last of each caller is approved. A request is a whole order. */
const placeOrders: Measure = async ({ server: { url, pid }, token }) => {
  const call = createCaller([url], token);
  const post = async (path: string, body: object): Promise<string> => {
    const { status, json } = await call('POST', path, body);
    if (status !== 201) throw new Error(`POST ${path} returned ${status}`);
    return (json as { id: string }).id;
  };
  const pets: string[] = [];
  for (let nth = 0; nth < ORDERS; nth++) pets.push(await post('/v1/pets', NEW_PET));
  const times: number[] = [];
  const place = async (): Promise<void> => {
    for (let petId = pets.pop(); petId !== undefined; petId = pets.pop()) {
      const begun = performance.now();
      const orderId = await post('/v1/orders', { petId });
      await post(`/v1/orders/${orderId}/payment`, { amount: NEW_PET.price, currency: NEW_PET.currency, source: CARD });
      times.push(performance.now() - begun);
      if (pets.length < AT_ONCE)
        await pollUntil(async () => {
          const { json } = await call('GET', `/v1/orders/${orderId}`);
          return (json as { status: string }).status === 'approved';
        });
    }
  };
  const [begun, before] = [performance.now(), cpuSecondsOf(pid)];
  await Promise.all(Array.from({ length: AT_ONCE }, place));
  const [seconds, spent] = [(performance.now() - begun) / 1_000, cpuSecondsOf(pid) - before];
  const sorted = times.toSorted((a, b) => a - b);
  return { requestsPerSecond: ORDERS / seconds, requestsPerCpuSecond: ORDERS / spent, p99: sorted[Math.floor(ORDERS * 0.99)] ?? NaN };
};

const SCENARIOS: readonly { readonly name: string; readonly measure: Measure }[] = [
  {
    name: 'GET /v1/pets/{id}',
    measure: underLoad(({ pets }) => ({ method: 'GET', paths: pets.map((id) => `/v1/pets/${id}`) })),
  },
  {
    name: `GET /v1/pets: 20 of ${PETS.toLocaleString('en-US')}, filtered, with totals`,
    measure: underLoad(() => ({
      method: 'GET',
      paths: LISTS,
    })),
  },
  {
    name: 'POST /v1/pets, durable',
    measure: underLoad((running) => ({ method: 'POST', paths: ['/v1/pets'], headers: headersOf(running), body: JSON.stringify(NEW_PET) })),
  },
  { name: 'an order, placed and paid', measure: placeOrders },
];
