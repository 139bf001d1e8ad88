import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Document } from 'mongodb';
import { VERSION } from '../../apps/api/installed.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { openClusterStorage } from '../journeys/distributed/cluster-storage.js';
import { waitUntilCaughtUp } from '../journeys/distributed/readiness.js';
import { RELAY } from '../../libs/runtime/relay/relay.js';
import { expectedMessages, readTopics, topicViolations } from '../journeys/distributed/topic-messages.js';
import { differencesFromReplay, logViolations } from '../journeys/replay.js';
import type { Cluster } from '../servers/cluster.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { fillByWalk, writeEmbedded } from './embedded-version.js';
import {
  createPet,
  KEY_ENCRYPTION_KEY,
  readDatabase,
  readEvents,
  readStoredEvents,
  restoreServers,
  startProcesses,
  startServers,
  writeServers,
} from './servers-version.js';
import { sellPet } from './sell-pet.js';
import { goldenFolder, goldenVersions, isAcceptingVersion, readJson, sealVersion } from './version-files.js';
import { readAll, type Reads } from './version-reads.js';
import { NOT_WALKED } from './version-walk.js';

afterAll(async () => {
  await endPrograms();
  removeFolders();
});

const writeVersion = (): void => {
  it('is written once', async () => {
    expect(goldenVersions()).not.toContain(VERSION);
    const [dataDir, golden] = [newFolder(), goldenFolder(VERSION)];
    await fillByWalk(dataDir);
    const types = new Set(snapshotOf(dataDir).events.map(({ type }) => type));
    // Checked only for a new version: the data of older versions lacks types that were added later.
    expect(Object.keys(DOMAIN_EVENTS).filter((type) => !types.has(type) && !NOT_WALKED.has(type))).toEqual([]);
    mkdirSync(golden);
    await writeEmbedded(dataDir, join(golden, 'embedded'));
    await writeServers(dataDir, join(golden, 'servers'));
    sealVersion(golden);
  });
};

/** Proves contract 22.4 and contract 24.3 on data that earlier versions wrote. */
const openVersion = (version: string): void => {
  const golden = join(goldenFolder(version), 'servers');
  const recorded = readJson<Reads>(join(golden, 'reads.json'));
  const before = readStoredEvents(golden);
  const paths = Object.keys(recorded);
  let cluster: Cluster;
  beforeEach(async () => {
    cluster = await startServers();
    await restoreServers(golden, cluster);
  });
  afterEach(() => cluster.close());

  it('serve the recorded responses, resume at their checkpoints, and accept new writes', async () => {
    const checkpoints = await checkpointsOf(cluster);
    const { call, url, stop } = await startProcesses(cluster);
    expect(await readAll(call, paths)).toMatchObject(recorded);
    expect(await checkpointsOf(cluster)).toMatchObject(checkpoints);
    await sellPet(call, await createPet(call, 'Sold by the newest version'));
    await waitUntilCaughtUp(url);
    await stop();
    const events = await readEvents(cluster);
    expect(events.slice(0, before.length)).toEqual(before);
    // A consumer that had lost its offset would handle the old events again, and append more events than these.
    expect(events.slice(before.length).map(({ type }) => type)).toEqual([
      // Before a process records its first pet, it reserves numbers for pets (contract 39.3).
      ...[
        'NumbersReserved',
        'PetListed',
        'PetReserved',
        'OrderPlaced',
        'OrderPaymentStarted',
        'PaymentRequested',
        'PaymentSucceeded',
        'OrderApproved',
      ],
      ...['PetAdopted', 'CheckpointSigned'],
    ]);
    await expectIntact(cluster);
  });

  it('serve the recorded responses after a rebuild', async () => {
    const { call, url, stop } = await startProcesses(cluster);
    const rebuilt = await runPetstore(['projections', 'rebuild'], { dataDir: newFolder(), env: cluster.settings });
    expect([rebuilt.code, rebuilt.stderr]).toEqual([0, expect.anything()]);
    // Waits for the responses first: readiness is cached for a second, so it may be that of the read models before the rebuild.
    await eventually('the recorded responses', async () => {
      expect(await readAll(call, paths)).toMatchObject(recorded);
      return true;
    });
    await waitUntilCaughtUp(url);
    await stop();
    await expectIntact(cluster);
  });
};

if (isAcceptingVersion) describe('the golden data of this version', writeVersion);
else describe.each(goldenVersions())('processes on servers with the golden data of version %s', openVersion);

/** Returns the generation and position of each projection and the position of the relay, by name. */
const checkpointsOf = async (cluster: Cluster): Promise<Readonly<Record<string, object>>> => {
  const readers = (await readDatabase(cluster))['readers']?.documents ?? [];
  const checkpointOf = ({ generation, position }: Document): object => ({
    generation: generation as unknown,
    position: position as unknown,
  });
  return Object.fromEntries(readers.map((reader) => [String(reader['_id']), checkpointOf(reader)]));
};

/** Expects an intact log, read models that equal a replay, and every message in its topic exactly once. */
const expectIntact = async ({ eventStore, mongod, kafka }: Cluster): Promise<void> => {
  const storage = await openClusterStorage({ eventStoreUrl: eventStore.url, mongoUrl: mongod.url, keyEncryptionKey: KEY_ENCRYPTION_KEY });
  try {
    const events = await storage.events();
    expectInvariant('the log is valid', logViolations(events, 'growing'));
    expectInvariant('the read models equal a replay', differencesFromReplay(await storage.snapshot(events)));
    // At a stop, the relay may end before the last checkpoint is signed. Then only the next process publishes that checkpoint.
    const published = (await storage.checkpoints())[RELAY] ?? 0;
    const expected = expectedMessages(events.filter(({ position }) => position <= published));
    const messages = await readTopics(kafka.brokers, expected);
    expect([topicViolations(messages, expected), messages.length]).toEqual([[], expected.length]);
  } finally {
    await storage.close();
  }
};
