import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { caller, type Call } from '../servers/calling.js';
import { median } from './load.js';
import { startLoadProcess, type LoadProcess } from './load-process.js';
import { withReaderPriority } from './reader-priority.js';
import { startServer } from './server.js';
import { pathsOf, readFor, type WithAndWithout } from './sign-in.bench.js';
import type { UploadPlan } from './upload-load.js';

const ROUNDS = 5;
const SECONDS = 6;
const UPLOADS_AT_ONCE = 20;

/** What uploads cost other requests. */
export type UploadCosts = {
  /** The p99 of GET /v1/pets/{id}, in milliseconds, with and without uploads. */
  readonly service: WithAndWithout;
  /**
   * The same for Fastify alone, during the uploads to the service and without them. Fastify alone gets no uploads, so this
   * shows what any server loses when uploads to another process use the same processors.
   */
  readonly bare: WithAndWithout;
  readonly uploadsPerSecond: number;
};

/**
 * Measures reads of pets in `dataDir` while images are uploaded to the same pets. Rounds without uploads alternate with rounds
 * with uploads.
 */
export const imagesBench = async (dataDir: string, makeToken: () => Promise<string>): Promise<UploadCosts> => {
  const settings = { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
  const service = await startServer('dist/apps/petstore/main.js', ['start'], settings);
  try {
    const call = caller(service.url);
    const paths = await pathsOf(call);
    const bare = await startServer('dist/test/bench/bare-server.js', [await record(dataDir, call, paths)]);
    try {
      const photo = (await photoOfTwelveMegapixels()).toString('base64');
      const plan = { url: service.url, token: await makeToken(), paths, photo, atOnce: UPLOADS_AT_ONCE };
      const uploads = await startLoadProcess('upload-load', plan);
      return await withReaderPriority(() => compareP99([call, caller(bare.url)], plan, uploads));
    } finally {
      await bare.stop();
    }
  } finally {
    await service.stop();
  }
};

/** Writes the pets to a file, for the server that is Fastify alone. Returns its path. */
const record = async (dataDir: string, call: Call, paths: readonly string[]): Promise<string> => {
  const pets: Record<string, string> = {};
  for (const path of paths) pets[path.slice('/v1/pets/'.length)] = (await call('GET', path)).text;
  const file = join(dataDir, 'recorded-answers.json');
  writeFileSync(file, JSON.stringify({ pets, lists: {}, created: '' }));
  return file;
};

const compareP99 = async ([service, bare]: readonly [Call, Call], plan: UploadPlan, uploads: LoadProcess): Promise<UploadCosts> => {
  const p99 = { service: { with: [] as number[], without: [] as number[] }, bare: { with: [] as number[], without: [] as number[] } };
  const read = async (kind: 'with' | 'without'): Promise<void> => {
    p99.service[kind].push(await readFor(service, plan.paths, SECONDS));
    p99.bare[kind].push(await readFor(bare, plan.paths, SECONDS));
  };
  let stored = 0;
  for (const call of [service, bare]) await readFor(call, plan.paths, 1);
  for (let round = 0; round < ROUNDS; round++) {
    await read('without');
    uploads.start();
    await read('with');
    stored += await uploads.stop();
    const [ours, others] = [p99.service, p99.bare].map(
      (times) => `${times.with.at(-1)?.toFixed(1)} ms, and ${times.without.at(-1)?.toFixed(1)} ms without`,
    );
    process.stderr.write(`images: round ${round + 1} of ${ROUNDS}: p99 ${ours}; Fastify alone ${others}\n`);
  }
  uploads.end();
  const medians = (times: { with: number[]; without: number[] }): WithAndWithout => ({
    with: median(times.with),
    without: median(times.without),
  });
  return { service: medians(p99.service), bare: medians(p99.bare), uploadsPerSecond: stored / (ROUNDS * 2 * SECONDS) };
};

/** A JPEG of 4,000 by 3,000 pixels, the size of a photo from a phone. */
const photoOfTwelveMegapixels = async (): Promise<Buffer> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 50 } as const;
  const small = await sharp({ create: { width: 1_600, height: 1_200, channels: 3, background: 'grey', noise } })
    .png()
    .toBuffer();
  return sharp(small).resize(4_000, 3_000).jpeg({ quality: 85 }).toBuffer();
};
