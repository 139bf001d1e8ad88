import { caller } from '../servers/calling.js';
import { median } from './load.js';
import { startLoadProcess } from './load-process.js';
import type { SearchPlan } from './search-load.js';
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

/** Measures reads of single pets alone, and beside callers that search at random, in turns. */
export const compareSearches = async (url: string): Promise<SearchSpeed> => {
  const call = caller(url);
  const paths = await pathsOf(call);
  const searches = await startLoadProcess('search-load', { url, atOnce: CALLERS } satisfies SearchPlan);
  // The first searches make the index.
  searches.start();
  await readFor(call, paths, SECONDS);
  await searches.stop();
  const rounds: SearchSpeed[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await readFor(call, paths, SECONDS);
    const begun = performance.now();
    searches.start();
    const beside = await readFor(call, paths, SECONDS);
    const searchesPerSecond = ((await searches.stop()) / (performance.now() - begun)) * 1_000;
    rounds.push({ searchesPerSecond, alone, beside });
    process.stderr.write(
      `searches: round ${round + 1} of ${ROUNDS}: ${searchesPerSecond.toFixed(0)}/s, p99 ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms beside\n`,
    );
  }
  searches.end();
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
