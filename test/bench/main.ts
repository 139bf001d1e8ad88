import { mkdtempSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSettings } from '../../libs/settings/settings.js';
import { seedCommand } from '../../apps/petstore/commands/seed.command.js';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import { parseArguments, type PartName } from './arguments.js';
import { distributedChanges, embeddedChanges } from './changes.bench.js';
import { compareBench } from './compare.bench.js';
import { distributedBench } from './distributed.bench.js';
import { folderOfPets, mongoRebuild, rebuildInProcess } from './rebuild.bench.js';
import { httpBench, type HttpComparison } from './http.bench.js';
import { auditBench, filledFolder, rebuildBench, removeFolder, startBench, type AuditRate } from './log.bench.js';
import { GENERATOR, median } from './load.js';
import { imagesBench } from './images.bench.js';
import { largeFolderBench, searchesBench, searchPeersBench, type SearchSpeed } from './searches.bench.js';
import { signInBench, type WithAndWithout } from './sign-in.bench.js';
import { ratioOf, REQUESTS, tracesBench } from './traces.bench.js';
import { peersBench } from './peers/peers.bench.js';
import { peersReport } from './peers/report.js';

const PETS = 100_000;
const EVENTS = 1_000_000;
/** The number of pets in the comparison with a CRUD service. */
const PEERS_PETS = 50_000;
/** The number of pets in the benchmarks of sign-ins, images and traces. */
const SIGN_IN_PETS = 1_000;
/** The maximum ratio of the p99 of reads with sign-ins to the p99 without sign-ins. */
const SIGN_IN_GOAL = 1.5;
/** The maximum ratio of the p99 of reads with twenty uploads at once to the p99 without uploads. */
const IMAGES_GOAL = 2;
/** The minimum ratio of the rate of requests with a token to the rate with another header of the same length. */
const TOKEN_GOAL = 0.95;
/** The minimum ratio of requests per second of processor time with traces to the same rate without traces. */
const TRACES_GOAL = 0.95;
/** The minimum events per second of a rebuild, and of an audit. */
const REBUILD_GOAL = 40_000;
const AUDIT_GOAL = 200_000;
/** The pets whose read models are rebuilt. */
const REBUILT_PETS = [60_000, 1_000_000] as const;
/** The pets with long descriptions whose read models are rebuilt, and the characters of each. */
const LARGE_PETS = 22_000;
const LARGE_PET_CHARACTERS = 60_000;
/** The maximum memory of a rebuild in MiB. */
const REBUILD_MEMORY_GOAL = 300;
/** The pets of the folder that is searched. */
const SEARCHED_PETS = 1_000_000;
/** The searches a second of a folder with a million pets, and of several machines with 100,000. */
const SEARCHES_GOALS = { folder: 600, distributed: 60 };
/** The milliseconds until a folder with a million pets is ready, and its largest memory in MiB while it is searched and written. */
const LARGE_FOLDER_GOALS = { readyAfter: 2_500, peak: 350 };
/** The maximum ratio of the p99 of reads beside searches to their p99 alone. */
const SEARCHES_P99_GOAL = 3;
/** The maximum milliseconds from the start of the process until it is ready. */
const START_GOAL = 2_000;
/** The maximum ratio of the time of the 10,000th change of a resource to that of the 10th. */
const CHANGES_GOAL = 1.2;
/** The maximum milliseconds of the first change of a resource with 10,000 events after a start. */
const FIRST_CHANGE_GOAL = 100;
const REPEATS = 3;

const whole = (count: number): string => Math.round(count).toLocaleString('en-US');
const verdict = (reached: boolean): string => (reached ? 'reached' : 'MISSED');

const printHttp = (compared: readonly HttpComparison[]): void => {
  console.log(`\nLoad by ${GENERATOR}${GENERATOR === 'wrk' ? '' : ', which takes CPU from the service; install wrk for better results'}`);
  console.log(
    '\n| request | service, req/s | bare Fastify, req/s | ratio | goal | | p99 of the service, ms | ratio of requests per CPU second |\n|---|---|---|---|---|---|---|---|',
  );
  for (const { name, goal, service, bare } of compared) {
    const ratio = service.requestsPerSecond / bare.requestsPerSecond;
    const byCpu = service.requestsPerCpuSecond / bare.requestsPerCpuSecond;
    console.log(
      `| ${name} | ${whole(service.requestsPerSecond)} | ${whole(bare.requestsPerSecond)} | ${ratio.toFixed(2)} | ${goal.toFixed(2)} | ${verdict(ratio >= goal)} | ${service.p99} | ${byCpu.toFixed(2)} |`,
    );
  }
};

/** Compares the service with Fastify alone. */
const http = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const settings = parseSettings({ DATA_DIR: directory, LOG_LEVEL: 'warn' });
  await seedCommand(settings, { pets: PETS, pictures: 0, seed: 1 });
  const token = () => makeToken(settings, { scope: 'write:pets', subject: 'bench', expiresIn: 3600 });
  printHttp(await httpBench(directory, token));
  removeFolder(directory);
};

/** Measures what uploads of images cost other requests. */
const images = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const settings = parseSettings({ DATA_DIR: directory, LOG_LEVEL: 'warn' });
    await seedCommand(settings, { pets: SIGN_IN_PETS, pictures: 0, seed: 1 });
    const token = () => makeToken(settings, { scope: 'write:pets', subject: 'bench', expiresIn: 3600 });
    const { service, bare, uploadsPerSecond } = await imagesBench(directory, token);
    console.log('\n| GET /v1/pets/{id}, p99 in ms | with | without | ratio | goal | |\n|---|---|---|---|---|---|');
    const row = (name: string, p99: WithAndWithout): string =>
      `| ${name} | ${p99.with.toFixed(1)} | ${p99.without.toFixed(1)} | ${(p99.with / p99.without).toFixed(2)} |`;
    // If the service stored almost no uploads, the ratio says nothing about uploads.
    const isReached = uploadsPerSecond >= 1 && service.with / service.without <= IMAGES_GOAL;
    console.log(
      `${row(`20 uploads at once, ${uploadsPerSecond.toFixed(1)} a second`, service)} at most ${IMAGES_GOAL} | ${verdict(isReached)} |`,
    );
    console.log(`${row('Fastify alone, without uploads of its own', bare)} | |`);
  } finally {
    removeFolder(directory);
  }
};

/** Measures what sign-ins cost other requests, and what a token costs a request. */
const signIn = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const settings = parseSettings({ DATA_DIR: directory, LOG_LEVEL: 'warn' });
    await seedCommand(settings, { pets: SIGN_IN_PETS, pictures: 0, seed: 1 });
    const token = () => makeToken(settings, { scope: 'read:pets', subject: 'bench', expiresIn: 3600 });
    const { p99, requestsPerSecond, requestsPerCpuSecond } = await signInBench(directory, token);
    const byTime = p99.with / p99.without;
    console.log('\n| GET /v1/pets/{id} | with | without | ratio | goal | |\n|---|---|---|---|---|---|');
    console.log(
      `| 10 sign-ins a second: p99, ms | ${p99.with.toFixed(1)} | ${p99.without.toFixed(1)} | ${byTime.toFixed(2)} | at most ${SIGN_IN_GOAL} | ${verdict(byTime <= SIGN_IN_GOAL)} |`,
    );
    for (const [name, rates] of [
      ['requests/s', requestsPerSecond],
      ['requests per CPU second', requestsPerCpuSecond],
    ] as const) {
      const verified = rates.with / rates.without;
      console.log(
        `| a token, and a header of its length: ${name} | ${whole(rates.with)} | ${whole(rates.without)} | ${verified.toFixed(3)} | over ${TOKEN_GOAL} | ${verdict(verified > TOKEN_GOAL)} |`,
      );
      console.log(
        `| a token, and no header: ${name} | ${whole(rates.with)} | ${whole(rates.withoutHeader)} | ${(rates.with / rates.withoutHeader).toFixed(3)} | | |`,
      );
    }
  } finally {
    removeFolder(directory);
  }
};

/** Measures a rebuild, an audit and a start on a large log. */
const log = async (): Promise<void> => {
  const directory = await filledFolder(EVENTS);
  const starts: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) starts.push(await startBench(directory));
  const rates: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) rates.push(await rebuildBench(directory));
  const audits: AuditRate[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) audits.push(await auditBench(directory));
  const audited = median(audits.map(({ eventsPerSecond }) => eventsPerSecond));
  const time = median(audits.map(({ microseconds }) => microseconds)).toFixed(1);
  const [rate, milliseconds] = [median(rates), median(starts)];
  console.log(`\n| log of ${whole(EVENTS)} events | median of ${REPEATS} | goal | |\n|---|---|---|---|`);
  console.log(`| rebuild of all read models | ${whole(rate)} events/s | ${whole(REBUILD_GOAL)} | ${verdict(rate >= REBUILD_GOAL)} |`);
  console.log(
    `| audit of the log in two threads, the slower one with ${time} µs of processor time for an event | ${whole(audited)} events/s | ${whole(AUDIT_GOAL)} | ${verdict(audited >= AUDIT_GOAL)} |`,
  );
  console.log(`| start to ready | ${whole(milliseconds)} ms | under ${whole(START_GOAL)} | ${verdict(milliseconds < START_GOAL)} |`);
  removeFolder(directory);
};

/** Compares parts of the distributed profile with minimal programs. Also measures the latencies of the distributed profile. */
const distributed = async (): Promise<void> => {
  const { comparisons, latencies } = await distributedBench();
  console.log('\n| distributed profile | service | bare program | ratio | goal | | the bare program |\n|---|---|---|---|---|---|---|');
  for (const { name, ours, bare, goal, bareProgram } of comparisons)
    console.log(
      `| ${name} | ${whole(ours)} | ${whole(bare)} | ${(ours / bare).toFixed(2)} | ${goal.toFixed(2)} | ${verdict(ours / bare >= goal)} | ${bareProgram} |`,
    );
  console.log('\n| distributed profile | median, ms | p99, ms | goal | |\n|---|---|---|---|---|');
  for (const { name, median: middle, p99, goal } of latencies)
    console.log(`| ${name} | ${middle.toFixed(0)} | ${p99.toFixed(0)} | under ${goal} | ${verdict(p99 < goal)} |`);
};

/** Compares both profiles with a hand-written CRUD service on NestJS and MongoDB. */
const peers = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    console.log(peersReport(await peersBench(directory, PEERS_PETS), PEERS_PETS));
  } finally {
    removeFolder(directory);
  }
};

/** Measures what traces cost a request. */
const traces = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const settings = parseSettings({ DATA_DIR: directory, LOG_LEVEL: 'warn' });
    await seedCommand(settings, { pets: SIGN_IN_PETS, pictures: 0, seed: 1 });
    const costs = await tracesBench(directory, await makeToken(settings, { scope: 'write:pets', subject: 'bench', expiresIn: 3600 }));
    console.log(
      '\n| requests per CPU second | traces on | traces off | ratio: median of processes, and all | goal | |\n|---|---|---|---|---|---|',
    );
    for (const name of REQUESTS) {
      const [on, off] = [median(costs.map((cost) => cost[name].on)), median(costs.map((cost) => cost[name].off))];
      const ratios = costs.map((cost) => ratioOf(cost[name]));
      const all = ratios.map((ratio) => ratio.toFixed(3)).join(', ');
      console.log(
        `| ${name} | ${whole(on)} | ${whole(off)} | ${median(ratios).toFixed(3)} (${all}) | over ${TRACES_GOAL} | ${verdict(median(ratios) > TRACES_GOAL)} |`,
      );
    }
  } finally {
    removeFolder(directory);
  }
};

/** Measures whether a change costs more after many changes. */
const changes = async (): Promise<void> => {
  console.log('\n| PUT of a pet with 3 KB | events | median, ms | p99, ms | ratio to the 10th | goal | |\n|---|---|---|---|---|---|---|');
  for (const { name, times, firsts } of [...(await embeddedChanges()), ...(await distributedChanges())]) {
    const tenth = times[0]?.median ?? NaN;
    for (const { events, median: middle, p99 } of times)
      console.log(
        `| ${name} | ${whole(events)} | ${middle.toFixed(2)} | ${p99.toFixed(2)} | ${(middle / tenth).toFixed(2)} | at most ${CHANGES_GOAL} | ${verdict(middle / tenth <= CHANGES_GOAL)} |`,
      );
    const shortest = firsts[0]?.median ?? NaN;
    for (const { events, median: first } of firsts)
      console.log(
        `| ${name}, first change after a start | ${whole(events)} | ${first.toFixed(0)} | | ${(first / shortest).toFixed(2)} | under ${FIRST_CHANGE_GOAL} ms | ${verdict(first < FIRST_CHANGE_GOAL)} |`,
      );
  }
};

/** Measures rebuilds of small and large read models. */
const rebuild = async (): Promise<void> => {
  console.log('\n| rebuild of | on one folder, events/s | goal | | MiB | goal | | MongoDB, documents/s | ratio to bulkWrite | goal | |');
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  for (const pets of REBUILT_PETS) {
    const directory = await folderOfPets(pets);
    const { rate, memory } = await rebuildsOf(directory);
    const { ours, bare, goal } = await mongoRebuild(directory);
    const onFolder = `${whole(rate)} | ${whole(REBUILD_GOAL)} | ${verdict(rate >= REBUILD_GOAL)} | ${memory}`;
    console.log(
      `| ${whole(pets)} pets | ${onFolder} | ${whole(ours)} | ${(ours / bare).toFixed(2)} | ${goal} | ${verdict(ours / bare >= goal)} |`,
    );
    removeFolder(directory);
  }
  const directory = await folderOfPets(LARGE_PETS, LARGE_PET_CHARACTERS);
  const { rate, memory } = await rebuildsOf(directory);
  console.log(`| ${whole(LARGE_PETS)} pets of ${LARGE_PET_CHARACTERS / 1_000} KB | ${whole(rate)} | | | ${memory} | | | | |`);
  removeFolder(directory);
};

/** Rebuilds the read models of a folder. Returns the median rate, and the memory as cells of the table. */
const rebuildsOf = async (directory: string): Promise<{ readonly rate: number; readonly memory: string }> => {
  const speeds = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) speeds.push(await rebuildInProcess(directory));
  const [rate, mebibytes] = [median(speeds.map((speed) => speed.eventsPerSecond)), median(speeds.map((speed) => speed.mebibytes))];
  return { rate, memory: `${whole(mebibytes)} | under ${REBUILD_MEMORY_GOAL} | ${verdict(mebibytes < REBUILD_MEMORY_GOAL)}` };
};

const printSearches = (name: string, { searchesPerSecond, alone, beside }: SearchSpeed, goal: number | null): void => {
  const ratio = beside / alone;
  const [rate, p99] = goal === null ? ['', ''] : [verdict(searchesPerSecond >= goal), verdict(ratio <= SEARCHES_P99_GOAL)];
  console.log(
    `| ${name} | ${whole(searchesPerSecond)} | ${goal ?? ''} | ${rate} | ${alone.toFixed(1)} | ${beside.toFixed(1)} | ${ratio.toFixed(2)} | ${p99} |`,
  );
};

/** Measures searches by random criteria, and what they cost other requests. */
const searches = async (): Promise<void> => {
  console.log('\n| searches of eight callers | searches/s | goal | | p99 of GET alone, ms | beside, ms | ratio, goal 3 | |');
  console.log('|---|---|---|---|---|---|---|---|');
  const directory = await folderOfPets(SEARCHED_PETS);
  printSearches(`one folder, ${whole(SEARCHED_PETS)} pets`, await searchesBench(directory), SEARCHES_GOALS.folder);
  const settings = parseSettings({ DATA_DIR: directory, LOG_LEVEL: 'warn' });
  const token = await makeToken(settings, { scope: 'write:pets', subject: 'bench', expiresIn: 3600 });
  const large = await largeFolderBench(directory, token);
  removeFolder(directory);
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    const { embedded, distributed: servers, 'by hand': byHand } = await searchPeersBench(folder, PETS);
    printSearches(`one folder, ${whole(PETS)} pets`, embedded, null);
    printSearches(`several machines, ${whole(PETS)} pets`, servers, SEARCHES_GOALS.distributed);
    printSearches(`the CRUD service, ${whole(PETS)} pets`, byHand, null);
    console.log(`\n| one folder, ${whole(SEARCHED_PETS)} pets | | goal | |\n|---|---|---|---|`);
    const line = (name: string, figure: number, goal: number): void =>
      console.log(`| ${name} | ${whole(figure)} | at most ${whole(goal)} | ${verdict(figure <= goal)} |`);
    line('ready after, ms', large.readyAfter, LARGE_FOLDER_GOALS.readyAfter);
    line('largest memory under searches and writes, MiB', large.peak, LARGE_FOLDER_GOALS.peak);
  } finally {
    removeFolder(folder);
  }
};

const PARTS: Readonly<Record<PartName, () => Promise<void>>> = {
  http,
  log,
  distributed,
  peers,
  'sign-in': signIn,
  images,
  traces,
  changes,
  rebuild,
  searches,
};

/** Compares this build with the one in another checkout. A ratio over 1 means that this build is faster. */
const compare = async (checkout: string): Promise<void> => {
  const compared = await compareBench(checkout);
  console.log(
    `\n| request | this build, requests/s | the build in ${checkout} | ratio | ratio of requests per CPU second | p99 in ms, both |\n|---|---|---|---|---|---|`,
  );
  for (const { name, ours, other, ratios } of compared)
    console.log(
      `| ${name} | ${whole(ours.requestsPerSecond)} | ${whole(other.requestsPerSecond)} | ${ratios.byTime.toFixed(3)} | ${ratios.byCpu.toFixed(3)} | ${ours.p99.toFixed(1)}, ${other.p99.toFixed(1)} |`,
    );
};

const plan = parseArguments(process.argv.slice(2));
if (plan.kind === 'exit') {
  (plan.code === 0 ? process.stdout : process.stderr).write(plan.text);
  process.exitCode = plan.code;
} else {
  console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`);
  if (plan.kind === 'compare') await compare(plan.checkout);
  else for (const part of plan.parts) await PARTS[part]();
}
