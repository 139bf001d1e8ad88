import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { expectInvariant } from '../expect-invariant.js';
import { openEmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { VERSION } from '../../apps/api/installed.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { differencesFromReplay, logViolations } from '../journeys/replay.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore } from '../servers/process.js';
import { snapshotOf } from '../servers/snapshot.js';
import { openGoldenFolder, restoreEmbedded } from './embedded-version.js';
import { sellPet } from './sell-pet.js';
import { alteredFiles, goldenFolder, goldenVersions, readJson, requireVersion, sealVersion } from './version-files.js';
import { readAll, type Reads } from './version-reads.js';

afterAll(removeFolders);

describe('golden data', () => {
  it('exists for the version in package.json', () => requireVersion(VERSION));

  it('is reported as missing for a version without it, with the command that writes it', () =>
    expect(() => requireVersion('99.0.0')).toThrow(
      /^version 99\.0\.0 has no golden data .*: ACCEPT_VERSION=yes npm run test:more -- golden\/versions$/,
    ));

  it('has not changed since it was written', () =>
    expect(goldenVersions().flatMap((version) => alteredFiles(goldenFolder(version)))).toEqual([]));

  it('is reported as altered after a file was changed or added', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'embedded'));
    for (const name of ['a', 'b']) writeFileSync(join(folder, 'embedded', name), name);
    sealVersion(folder);
    expect(alteredFiles(folder)).toEqual([]);
    writeFileSync(join(folder, 'embedded', 'a'), 'changed');
    writeFileSync(join(folder, 'c'), 'new');
    expect(alteredFiles(folder).map((line) => line.slice(66))).toEqual(['embedded/a', 'c', 'embedded/a']);
  });
});

/** Proves contract 24.3 on data that earlier versions wrote. */
describe.each(goldenVersions())('a service on a folder that version %s wrote', (version) => {
  const golden = join(goldenFolder(version), 'embedded');
  const recorded = readJson<Reads>(join(golden, 'reads.json'));
  const restored = (): string => {
    const dataDir = newFolder();
    restoreEmbedded(golden, dataDir);
    return dataDir;
  };

  it('is one in which the doctor finds nothing', async () => {
    const { code, stdout } = await runPetstore(['doctor'], { dataDir: restored() });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Nothing is wrong\. /)]);
  });

  it('reports an intact history and serves the recorded responses', async () => {
    const dataDir = restored();
    const before = snapshotOf(dataDir).events;
    expectInvariant('the log is valid', logViolations(before));
    const service = await openGoldenFolder(dataDir);
    try {
      expect(await readAll(service.call, Object.keys(recorded))).toMatchObject(recorded);
      expect((await service.call('GET', '/health/ready')).json).toMatchObject({ info: { store: { history: 'intact' } } });
    } finally {
      await service.stop();
    }
    const after = snapshotOf(dataDir);
    // When the service stops, it signs a checkpoint of the events that the older version wrote (contract 35.1).
    expect(after.events.map(({ type }) => type)).toEqual([...before.map(({ type }) => type), 'CheckpointSigned']);
    expect(after.events.slice(0, before.length)).toEqual(before);
    expectInvariant('the read models equal a replay', differencesFromReplay(after));
  });

  it('serves the recorded responses after a rebuild', async () => {
    const dataDir = restored();
    const log = pino({ level: 'silent' });
    const opened = await openEmbeddedStore({ directory: dataDir, log, clock: manualClock() });
    expect(await opened.rebuild({ acceptAltered: false })).toMatchObject({ faults: [], isInService: true });
    await opened.close();
    const service = await openGoldenFolder(dataDir);
    try {
      expect(await readAll(service.call, Object.keys(recorded))).toMatchObject(recorded);
    } finally {
      await service.stop();
    }
    expectInvariant('the read models equal a replay', differencesFromReplay(snapshotOf(dataDir)));
  });

  it('accepts new writes, and does not handle old events again', async () => {
    const dataDir = restored();
    const before = snapshotOf(dataDir).events;
    const service = await openGoldenFolder(dataDir);
    try {
      const pet = before.find(({ data }) => data.includes('"Smallest"'));
      await sellPet(service.call, pet?.stream.slice('pet-'.length) ?? '');
    } finally {
      await service.stop();
    }
    const after = snapshotOf(dataDir);
    expect(after.events.slice(0, before.length)).toEqual(before);
    // A consumer that had lost its checkpoint would handle the old events again, and append more events than these.
    expect(after.events.slice(before.length).map(({ type }) => type)).toEqual([
      ...[
        'NumbersReserved',
        'PetReserved',
        'OrderPlaced',
        'OrderPaymentStarted',
        'PaymentRequested',
        'PaymentSucceeded',
        'OrderApproved',
        'PetAdopted',
      ],
      'CheckpointSigned',
    ]);
    expectInvariant('the log is valid', logViolations(after.events));
    expectInvariant('the read models equal a replay', differencesFromReplay(after));
  });
});
