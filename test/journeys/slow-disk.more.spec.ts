import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { printLine } from '../print-line.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { slowDisk } from '../servers/slow-disk.js';
import { snapshotOf } from '../servers/snapshot.js';
import { listedNames } from './log-matches-responses.js';
import { differencesFromReplay, logViolations } from './replay.js';

const { disk, reason } = slowDisk();
if (!disk) printLine(`SKIPPED: the service on a slow disk: ${reason}`);

/** The longest time that a read may take, in milliseconds. */
const LONGEST_READ = 250;
const SYNC_MILLISECONDS = 8_000;
const LOCK_MILLISECONDS = 20_000;
const WRITERS = 6;

afterEach(endPrograms);
afterAll(removeFolders);

/** The pets that a service acknowledged, and those that it refused. */
type Outcomes = { readonly acknowledged: string[]; readonly refused: string[]; readonly others: number[] };

/** Sends reads one after the other until `isOver`, and returns the longest time of each path in milliseconds. */
const longestReads = async (call: Call, paths: readonly string[], isOver: () => boolean): Promise<Readonly<Record<string, number>>> => {
  const longest: Record<string, number> = {};
  const read = async (path: string): Promise<void> => {
    for (longest[path] = 0; !isOver();) {
      const begun = performance.now();
      const { status } = await call('GET', path);
      if (status !== 200) throw new Error(`${path} is answered with ${status}`);
      longest[path] = Math.max(longest[path] ?? 0, Math.round(performance.now() - begun));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await Promise.all(paths.map(read));
  return longest;
};

const PET = { species: 'DOG', ageMonths: 1, price: '9.00', currency: 'USD' };
const CARD = { object: 'card', number: '4242424242424242', expMonth: 12, expYear: 2090, cvc: '123', name: 'Carded Payer' };

/** Orders and pays a pet. Either may be refused. */
const orderAndPay = async (call: Call, petId: string): Promise<void> => {
  const { status, json } = await call('POST', '/v1/orders', { body: { petId } });
  if (status !== 201) return;
  await call('POST', `/v1/orders/${String(json['id'])}/payment`, { body: { amount: '9.00', currency: 'USD', source: CARD } });
};

/** Creates pets, accounts, orders and payments, again and again, until `isOver`. */
const write = async (call: Call, outcomes: Outcomes, isOver: () => boolean): Promise<void> => {
  let number = 0;
  const note = (name: string, status: number): void => {
    if (status === 201) outcomes.acknowledged.push(name);
    else if (status === 503) outcomes.refused.push(name);
    else outcomes.others.push(status);
  };
  const writer = async (): Promise<void> => {
    while (!isOver()) {
      const name = `Slow ${number++}`;
      const { status, json } = await call('POST', '/v1/pets', { body: { ...PET, name } });
      note(name, status);
      // A refused caller waits, as Retry-After asks.
      if (status === 503) await new Promise((resolve) => setTimeout(resolve, 200));
      else if (typeof json['id'] === 'string') await orderAndPay(call, json['id']);
    }
  };
  const registrar = async (): Promise<void> => {
    for (let user = 0; !isOver(); user++) {
      const body = { username: `user${user}`, email: `user${user}@example.com`, password: 'correct horse battery' };
      const { status } = await call('POST', '/v1/users', { body });
      if (![201, 503].includes(status)) outcomes.others.push(status);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  await Promise.all([...Array.from({ length: WRITERS }, writer), registrar()]);
};

/** Runs reads and writes while `disturb` runs, and then expects that the service answered reads at once and lost nothing. */
const expectUndisturbedReads = async (service: ServiceProcess, dataDir: string, disturb: () => Promise<void>): Promise<void> => {
  const token = await tokenFor(dataDir);
  const [call, reading] = [caller(service.url, token), caller(service.url, token)];
  const { json } = await call('POST', '/v1/pets', { body: { ...PET, name: 'Early' } });
  const outcomes: Outcomes = { acknowledged: ['Early'], refused: [], others: [] };
  let isDisturbed = true;
  const isOver = (): boolean => !isDisturbed;
  const writing = write(call, outcomes, isOver);
  const paths = ['/health/live', '/health/ready', `/v1/pets/${String(json['id'])}`, '/v1/pets?limit=20'];
  const longest = longestReads(reading, paths, isOver);
  await disturb();
  isDisturbed = false;
  printLine(`longest reads in milliseconds: ${JSON.stringify(await longest)}`);
  expect(Object.values(await longest).filter((milliseconds) => milliseconds > LONGEST_READ)).toEqual([]);
  await writing;
  printLine(`${outcomes.acknowledged.length} pets were acknowledged, ${outcomes.refused.length} refused`);
  expect([outcomes.others, outcomes.refused.length > 0]).toEqual([[], true]);
  const after = await eventually('a write to succeed again', async () => {
    const name = `After ${outcomes.acknowledged.length + outcomes.refused.length}`;
    const { status } = await call('POST', '/v1/pets', { body: { ...PET, name } });
    (status === 201 ? outcomes.acknowledged : outcomes.refused).push(name);
    return status === 201;
  });
  expect(after).toBe(true);
  await service.stop();
  const snapshot = snapshotOf(dataDir);
  const [acknowledged, stored] = [new Set(outcomes.acknowledged), new Set(listedNames(snapshot.events))];
  expectInvariant(
    'every acknowledged pet is there',
    [...acknowledged].filter((name) => !stored.has(name)),
  );
  expectInvariant(
    'nothing else is there',
    [...stored].filter((name) => !acknowledged.has(name)),
  );
  expectInvariant('the log is valid', logViolations(snapshot.events));
  expectInvariant('the read models equal a replay', differencesFromReplay(snapshot));
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Proves contract 24.1. */
describe('the service', () => {
  (disk ? it : it.skip)(
    `answers reads at once while each fsync takes 8 s, and loses no acknowledged write${reason && ` (${reason})`}`,
    async () => {
      const dataDir = newFolder();
      const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn', ...disk?.env } });
      await expectUndisturbedReads(service, dataDir, async () => {
        disk?.delay(SYNC_MILLISECONDS);
        await pause(4 * SYNC_MILLISECONDS);
        disk?.delay(0);
      });
    },
  );

  it('answers reads at once while another program locks its files for 20 s, and loses no acknowledged write', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
    await expectUndisturbedReads(service, dataDir, async () => {
      const locks = ['petstore.sqlite', 'keys.sqlite', 'gateway.sqlite'].map((file) => new DatabaseSync(join(dataDir, file)));
      for (const lock of locks) lock.exec('BEGIN IMMEDIATE');
      await pause(LOCK_MILLISECONDS);
      for (const lock of locks) lock.close();
    });
  });
});
