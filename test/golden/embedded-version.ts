import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { openInProcessStore, type InProcessPetstore } from '../journeys/in-process-petstore.js';
import { openReceiver } from '../servers/receiver.js';
import { snapshotOf } from '../servers/snapshot.js';
import { packFiles, unpackFiles, writeJson } from './version-files.js';
import { pathsIn, PUBLIC_URL, readAll } from './version-reads.js';
import { ORDER_HOLD, SLOW_MILLISECONDS, walk } from './version-walk.js';

const FILES = ['petstore.sqlite', 'keys.sqlite', 'gateway.sqlite'];

/** The time at which the walk of version-walk.ts begins. The walk sends the requests that cause the golden data. */
const BEGIN = Date.parse('2026-01-02T03:04:05.678Z');
/** A time after every event of the golden data and before the next expiry, so that no timer is due. */
const READ_AT = BEGIN + 100 * 60_000;

/** Starts the service on a folder with golden data. The default time is that at which the golden responses were recorded. */
export const openGoldenFolder = (dataDir: string, clock: ManualClock = manualClock(READ_AT)): Promise<InProcessPetstore> =>
  openInProcessStore(dataDir, { clock, slowMilliseconds: SLOW_MILLISECONDS }, { PUBLIC_URL, ORDER_HOLD, LOG_LEVEL: 'warn' });

/** Replaces the random service keys of a store without events. The golden data is public, so its keys are test keys. */
const useTestKeys = (dataDir: string): void => {
  const database = new DatabaseSync(join(dataDir, 'keys.sqlite'));
  for (const { name } of database.prepare('SELECT name FROM service_keys').all()) {
    const key = Buffer.from(`golden test key: ${String(name)}`.padEnd(32, '.').slice(0, 32));
    const digest = createHash('sha256').update(key).digest();
    database.prepare('UPDATE service_keys SET key = ?, digest = ? WHERE name = ?').run(key, digest, String(name));
  }
  database.close();
};

/** Runs the walk of version-walk.ts on an empty folder. */
export const fillByWalk = async (dataDir: string): Promise<void> => {
  await (await openGoldenFolder(dataDir, manualClock(BEGIN))).stop();
  useTestKeys(dataDir);
  const clock = manualClock(BEGIN);
  const [service, receiver] = [await openGoldenFolder(dataDir, clock), await openReceiver()];
  try {
    await walk({ call: service.call, clock, receiver });
    if (clock.now().getTime() > READ_AT) throw new Error(`the walk took until ${clock.now().toISOString()}: read the answers later`);
  } finally {
    await receiver.close();
    await service.stop();
  }
};

/** Writes the golden data of an embedded folder: its files, and the responses of the service that runs on it. */
export const writeEmbedded = async (dataDir: string, golden: string): Promise<void> => {
  packFiles(dataDir, golden, FILES);
  const service = await openGoldenFolder(dataDir);
  try {
    writeJson(join(golden, 'reads.json'), await readAll(service.call, pathsIn(snapshotOf(dataDir).events)));
  } finally {
    await service.stop();
  }
};

/** Extracts the files of a golden folder into a data folder. */
export const restoreEmbedded = (golden: string, dataDir: string): void => unpackFiles(golden, dataDir);
