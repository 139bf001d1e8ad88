import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import { generateLoad, median, type Requests } from '../load.js';
import { NEW_PET } from '../new-pet.js';
import { countCosts } from './costs.js';
import { startPeers, type PeerName, type Peer, type Peers } from './services.js';

const ROUNDS = 5;
const SECONDS = 2;
/** Seconds of load before the measured rounds. By then, the JIT compiler of each process has optimized the code. */
const WARM_UP_SECONDS = 6;
const NAMES: readonly PeerName[] = ['by hand', 'embedded', 'distributed'];

/** The results of one service for one request: medians of the rounds. */
export type Figures = {
  readonly requestsPerSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Milliseconds of processor time per request, by process. They include the work of projections and relay. */
  readonly cpu: Readonly<Record<string, number>>;
  /** MongoDB commands per request, by name. */
  readonly commands: Readonly<Record<string, number>>;
  /** Seconds from the end of the load until projections and relay had caught up. */
  readonly settledAfter: number;
};

type Goals = Readonly<Record<Exclude<PeerName, 'by hand'>, number>>;

/** A request with the results of each service. */
export type PeerComparison = { readonly name: string; readonly goals: Goals; readonly figures: Readonly<Record<PeerName, Figures>> };

type Scenario = { readonly name: string; readonly goals: Goals; readonly requestsTo: (service: Peer) => Requests };

/**
 * Measures three services with the same pets: the service in both profiles, and a CRUD service written by hand. Returns medians.
 */
export const peersBench = async (directory: string, pets: number): Promise<readonly PeerComparison[]> => {
  const peers = await startPeers(directory, pets);
  try {
    const compared: PeerComparison[] = [];
    for (const scenario of scenariosOf(peers)) compared.push(await compare(scenario, peers));
    return compared;
  } finally {
    await peers.close();
  }
};

const compare = async ({ name, goals, requestsTo }: Scenario, { services }: Peers): Promise<PeerComparison> => {
  const rounds: Record<PeerName, Figures[]> = { 'by hand': [], embedded: [], distributed: [] };
  for (let round = 0; round <= ROUNDS; round++) {
    for (const peer of NAMES) {
      const figures = await oneRound(services[peer], requestsTo(services[peer]), round === 0 ? WARM_UP_SECONDS : SECONDS);
      if (round > 0) rounds[peer].push(figures);
    }
    process.stderr.write(`${name}: ${round === 0 ? 'warm' : `round ${round} of ${ROUNDS}`}\n`);
  }
  const [byHand, embedded, distributed] = NAMES.map((peer) => medianFigures(rounds[peer]));
  if (!byHand || !embedded || !distributed) throw new Error('a result is missing');
  return { name, goals, figures: { 'by hand': byHand, embedded, distributed } };
};

/** Runs a round and waits until projections and relay have caught up, so that rounds do not overlap. */
const oneRound = async (service: Peer, requests: Requests, duration: number): Promise<Figures> => {
  const costsSince = await countCosts(service);
  const { answered, seconds, p99 } = await generateLoad(service.url, requests, duration);
  const ended = performance.now();
  await service.settled();
  const settledAfter = (performance.now() - ended) / 1000;
  const { cpu, commands } = await costsSince();
  return {
    requestsPerSecond: answered / seconds,
    p99,
    cpu: mapEach(cpu, (spent) => (spent * 1000) / answered),
    commands: mapEach(commands, (count) => count / answered),
    settledAfter,
  };
};

type ByName = Readonly<Record<string, number>>;

const mapEach = (counts: ByName, change: (count: number) => number): ByName =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, change(count)]));

const medianEach = (all: readonly ByName[]): ByName =>
  Object.fromEntries([...new Set(all.flatMap(Object.keys))].map((name) => [name, median(all.map((counts) => counts[name] ?? 0))]));

const medianFigures = (rounds: readonly Figures[]): Figures => ({
  requestsPerSecond: median(rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
  p99: median(rounds.map(({ p99 }) => p99)),
  cpu: medianEach(rounds.map(({ cpu }) => cpu)),
  commands: medianEach(rounds.map(({ commands }) => commands)),
  settledAfter: median(rounds.map(({ settledAfter }) => settledAfter)),
});

const shuffle = <T>(items: readonly T[], random: () => number): readonly T[] =>
  items
    .map((item) => [random(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);

const LISTS = ['DOG', 'CAT', 'RABBIT', 'BIRD'].flatMap((species) =>
  ['SMALL', 'MEDIUM', 'LARGE'].map((size) => `/v1/pets?status=AVAILABLE&species=${species}&size=${size}&page=1&limit=20`),
);

const scenariosOf = ({ ids }: Peers): readonly Scenario[] => {
  const random = createRandom(11);
  const one = shuffle(ids, random).map((id) => `/v1/pets/${id}`);
  return [
    { name: 'GET /v1/pets/{id}', goals: { distributed: 0.9, embedded: 5 }, requestsTo: () => ({ method: 'GET', paths: one }) },
    {
      name: 'GET /v1/pets by status, species and size, 20 with totals',
      goals: { distributed: 4, embedded: 12 },
      // The service lets 50 lists of one caller wait, and rejects more.
      requestsTo: () => ({ method: 'GET', paths: shuffle(LISTS, random), connections: 32 }),
    },
    {
      name: 'POST /v1/pets',
      goals: { distributed: 0.45, embedded: 4 },
      requestsTo: ({ authorization }) => ({
        method: 'POST',
        paths: ['/v1/pets'],
        headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
        body: JSON.stringify(NEW_PET),
      }),
    },
  ];
};
