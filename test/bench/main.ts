import { mkdtempSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSettings } from '../../libs/settings/settings.js';
import { seedCommand } from '../../apps/petstore/commands/seed.command.js';
import { makeToken } from '../../apps/petstore/commands/token.command.js';
import { parseArguments, type PartName } from './arguments.js';
import { distributedBench } from './distributed.bench.js';
import { httpBench, type HttpComparison } from './http.bench.js';
import { filledFolder, rebuildBench, removeFolder, startBench } from './log.bench.js';
import { GENERATOR, median } from './load.js';
import { peersBench } from './peers/peers.bench.js';
import { peersReport } from './peers/report.js';

const PETS = 100_000;
const EVENTS = 1_000_000;
const PEERS_PETS = 50_000;
const REBUILD_GOAL = 40_000;
const START_GOAL = 2_000;
const REPEATS = 3;

const whole = (count: number): string => Math.round(count).toLocaleString('en-US');
const verdict = (reached: boolean): string => (reached ? 'reached' : 'MISSED');

const printHttp = (compared: readonly HttpComparison[]): void => {
  console.log(`\nLoad by ${GENERATOR}${GENERATOR === 'wrk' ? '' : ', which takes CPU from the store; install wrk for better results'}`);
  console.log(
    '\n| request | store, req/s | bare Fastify, req/s | ratio | goal | | p99, ms | ratio by CPU |\n|---|---|---|---|---|---|---|---|',
  );
  for (const { name, goal, store, bare } of compared) {
    const ratio = store.requestsPerSecond / bare.requestsPerSecond;
    const byCpu = store.requestsPerCpuSecond / bare.requestsPerCpuSecond;
    console.log(
      `| ${name} | ${whole(store.requestsPerSecond)} | ${whole(bare.requestsPerSecond)} | ${ratio.toFixed(2)} | ${goal.toFixed(2)} | ${verdict(ratio >= goal)} | ${store.p99} | ${byCpu.toFixed(2)} |`,
    );
  }
};

const http = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const settings = parseSettings({ DATA_DIR: directory, LOG_LEVEL: 'warn' });
  await seedCommand(settings, { pets: PETS, seed: 1 });
  const token = () => makeToken(settings, { scope: 'write:pets', subject: 'bench', expiresIn: 3600 });
  printHttp(await httpBench(directory, token));
  removeFolder(directory);
};

const log = async (): Promise<void> => {
  const directory = await filledFolder(EVENTS);
  const starts: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) starts.push(await startBench(directory));
  const rates: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) rates.push(await rebuildBench(directory));
  const [rate, milliseconds] = [median(rates), median(starts)];
  console.log(`\n| log of ${whole(EVENTS)} events | median of ${REPEATS} | goal | |\n|---|---|---|---|`);
  console.log(`| rebuild of all read models | ${whole(rate)} events/s | ${whole(REBUILD_GOAL)} | ${verdict(rate >= REBUILD_GOAL)} |`);
  console.log(`| start to ready | ${whole(milliseconds)} ms | under ${whole(START_GOAL)} | ${verdict(milliseconds < START_GOAL)} |`);
  removeFolder(directory);
};

const distributed = async (): Promise<void> => {
  const { against, spreads } = await distributedBench();
  console.log('\n| several machines | store | bare | ratio | goal | | against |\n|---|---|---|---|---|---|---|');
  for (const { name, ours, bare, goal, against: what } of against)
    console.log(
      `| ${name} | ${whole(ours)} | ${whole(bare)} | ${(ours / bare).toFixed(2)} | ${goal.toFixed(2)} | ${verdict(ours / bare >= goal)} | ${what} |`,
    );
  console.log('\n| several machines | median, ms | p99, ms | goal | |\n|---|---|---|---|---|');
  for (const { name, median: middle, p99, goal } of spreads)
    console.log(`| ${name} | ${middle.toFixed(0)} | ${p99.toFixed(0)} | under ${goal} | ${verdict(p99 < goal)} |`);
};

const peers = async (): Promise<void> => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  try {
    console.log(peersReport(await peersBench(directory, PEERS_PETS), PEERS_PETS));
  } finally {
    removeFolder(directory);
  }
};

const PARTS: Readonly<Record<PartName, () => Promise<void>>> = { http, log, distributed, peers };

const plan = parseArguments(process.argv.slice(2));
if (plan.kind === 'exit') {
  (plan.code === 0 ? process.stdout : process.stderr).write(plan.text);
  process.exitCode = plan.code;
} else {
  console.log(`${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`);
  for (const part of plan.parts) await PARTS[part]();
}
