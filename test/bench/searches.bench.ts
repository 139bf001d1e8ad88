import { readFileSync } from 'node:fs';
import { caller } from '../servers/calling.js';
import { median } from './load.js';
import { startLoadProcess } from './load-process.js';
import { startBench } from './log.bench.js';
import { NEW_PET } from './new-pet.js';
import type { SearchPlan } from './search-load.js';
import { withReaderPriority } from './reader-priority.js';
import { startPeers, type PeerName } from './peers/services.js';
import { startServer } from './server.js';
import { pathsOf, readFor } from './sign-in.bench.js';

const ROUNDS = 5;
const SECONDS = 6;
/** Callers that search without a pause. */
const CALLERS = 8;
/** How often a large folder is started, how long it is searched and written then, and the writes a second. */
const STARTS = 3;
const MEMORY_SECONDS = 600;
const WRITES_PER_SECOND = 20;

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

/** What a service with many pets needs. */
export type LargeFolder = {
  /** Milliseconds from the start of the process until it is ready. */
  readonly readyAfter: number;
  /** The largest memory of the process in MiB, with the pages of its program. */
  readonly peak: number;
};

/** Measures the start of a service on a folder, and its memory while callers search and one writes. */
export const largeFolderBench = async (dataDir: string, token: string): Promise<LargeFolder> => {
  const starts: number[] = [];
  for (let start = 0; start < STARTS; start++) starts.push(await startBench(dataDir));
  const settings = { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
  const service = await startServer('dist/apps/petstore/main.js', ['start'], settings);
  const searches = await startLoadProcess('search-load', { url: service.url, atOnce: CALLERS } satisfies SearchPlan);
  try {
    const call = caller(service.url, token);
    searches.start();
    const until = performance.now() + MEMORY_SECONDS * 1_000;
    while (performance.now() < until) {
      const { status, text } = await call('POST', '/v1/pets', { body: NEW_PET });
      if (status !== 201) throw new Error(text);
      await new Promise((resolve) => setTimeout(resolve, 1_000 / WRITES_PER_SECOND));
    }
    await searches.stop();
    return { readyAfter: median(starts), peak: largestMemoryOf(service.pid) };
  } finally {
    searches.end();
    await service.stop();
  }
};

/** Returns the largest memory of a process in MiB, as Linux counts it. */
const largestMemoryOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

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
