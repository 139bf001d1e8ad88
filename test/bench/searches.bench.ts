import { SIZES, SPECIES } from '../../libs/domain/pets/pet.events.js';
import { caller, type Call } from '../servers/calling.js';
import { median } from './load.js';
import { withReaderPriority } from './reader-priority.js';
import { startPeers, type PeerName } from './peers/services.js';
import { startServer } from './server.js';
import { pathsOf, readFor } from './sign-in.bench.js';

const ROUNDS = 5;
const SECONDS = 6;
/** Callers that search without a pause. */
const CALLERS = 8;

/** How searches by many criteria and other requests affect each other. */
export type SearchSpeed = {
  readonly searchesPerSecond: number;
  /** The p99 of GET /v1/pets/{id} in milliseconds, alone and beside the searches. */
  readonly alone: number;
  readonly beside: number;
};

/** Returns a linear congruential generator of numbers from 0 up to, but not including, 1. */
const createRandom = (seed: number): (() => number) => {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
};

const SORTS = [
  undefined,
  { field: 'price' },
  { field: 'price', order: 'DESC' },
  { field: 'ageMonths' },
  { field: 'ageMonths', order: 'DESC' },
];

/** Returns the body of a search with random criteria and a random sort. */
const randomSearch = (random: () => number): object => {
  const some = (values: readonly string[]): readonly string[] => values.filter(() => random() < 0.5);
  const flag = (): boolean | undefined => (random() < 0.4 ? random() < 0.5 : undefined);
  const min = Math.floor(random() * 120);
  return {
    criteria: {
      species: random() < 0.6 ? some(SPECIES) : [],
      size: random() < 0.5 ? some(SIZES) : [],
      ...(random() < 0.5 && { ageRange: { min, max: min + Math.floor(random() * 60) } }),
      compatibility: { goodWithKids: flag() },
      medical: { vaccinated: flag(), spayedNeutered: flag(), specialNeeds: flag() },
    },
    sort: SORTS[Math.floor(random() * SORTS.length)],
  };
};

/** Searches without a pause, until `stop`, which returns the number of searches. */
const startSearches = (call: Call, seed: number): { stop(): Promise<number> } => {
  let isStopped = false;
  const search = async (number: number): Promise<number> => {
    const random = createRandom(seed + number);
    let searches = 0;
    for (; !isStopped; searches++) {
      const { status, text } = await call('POST', '/v1/pets/search', { body: randomSearch(random) });
      if (status !== 200) throw new Error(text);
    }
    return searches;
  };
  const searching = Array.from({ length: CALLERS }, (_, number) => search(number + 1));
  return {
    async stop() {
      isStopped = true;
      return (await Promise.all(searching)).reduce((sum, searches) => sum + searches, 0);
    },
  };
};

/** Measures reads of single pets alone, and beside callers that search at random, in turns. */
export const compareSearches = async (url: string): Promise<SearchSpeed> => {
  const [call, searching] = [caller(url), caller(url)];
  const paths = await pathsOf(call);
  // The first search makes the index.
  await startSearches(searching, 1).stop();
  const rounds: SearchSpeed[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await readFor(call, paths, SECONDS);
    const begun = performance.now();
    const searches = startSearches(searching, round * CALLERS + 1);
    const beside = await readFor(call, paths, SECONDS);
    const searchesPerSecond = ((await searches.stop()) / (performance.now() - begun)) * 1_000;
    rounds.push({ searchesPerSecond, alone, beside });
    process.stderr.write(
      `searches: round ${round + 1} of ${ROUNDS}: ${searchesPerSecond.toFixed(0)}/s, p99 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside\n`,
    );
  }
  const medianOf = (name: keyof SearchSpeed): number => median(rounds.map((each) => each[name]));
  return { searchesPerSecond: medianOf('searchesPerSecond'), alone: medianOf('alone'), beside: medianOf('beside') };
};

/** Measures searches of the pets in a folder. */
export const searchesBench = async (dataDir: string): Promise<SearchSpeed> => {
  const settings = { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
  const service = await startServer('dist/apps/petstore/main.js', ['start'], settings);
  try {
    return await withReaderPriority(() => compareSearches(service.url));
  } finally {
    await service.stop();
  }
};

/** Measures searches of the same pets by the service in both profiles, and by the CRUD service written by hand. */
export const searchPeersBench = async (directory: string, pets: number): Promise<Readonly<Record<PeerName, SearchSpeed>>> => {
  const peers = await startPeers(directory, pets);
  try {
    const speedOf = (name: PeerName): Promise<SearchSpeed> => withReaderPriority(() => compareSearches(peers.services[name].url));
    return { embedded: await speedOf('embedded'), distributed: await speedOf('distributed'), 'by hand': await speedOf('by hand') };
  } finally {
    await peers.close();
  }
};
