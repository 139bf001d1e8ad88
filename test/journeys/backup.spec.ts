import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, spawnStore, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { missingConsequences } from './consequences.js';
import { differencesFromReplay, logViolations } from './replay.js';
import { createSharedState, startLoad } from './shoppers.js';
import { RequestRecorder } from './request-recorder.js';

const SEED = 11;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 24.1. */
describe('a backup of a service under load', () => {
  it('contains every change that was acknowledged before it began, and can be restored', async () => {
    const [dataDir, backup, restored] = [newFolder(), join(newFolder(), 'copy'), join(newFolder(), 'again')];
    const store = await spawnStore({ dataDir, env: { LOG_LEVEL: 'warn' } });
    const token = await tokenFor(dataDir);
    const recorder = new RequestRecorder();
    const load = startLoad({
      url: store.url,
      token,
      shoppers: 8,
      randomOf: (shopper) => createRandom(SEED + shopper),
      recorder,
      shared: createSharedState(),
    });
    await load.after(300, 'answered');
    const before = new RequestRecorder();
    before.outcomes.push(...recorder.acknowledged());
    const copied = await runPetstore(['backup', backup], { dataDir });
    expect([copied.code, copied.stderr]).toEqual([0, '']);
    const answeredAtEnd = load.answered();
    await load.stop();
    // Proves that requests were answered during the backup.
    expect(answeredAtEnd).toBeGreaterThan(before.outcomes.length);
    expect(recorder.unexpectedAnswers()).toEqual([]);
    expect(await store.stop()).toEqual({ code: 0, signal: null });

    const restoredResult = await runPetstore(['restore', backup], { dataDir: restored });
    expect([restoredResult.code, restoredResult.stderr]).toEqual([0, '']);
    const restoredStore = await spawnStore({ dataDir: restored, env: { LOG_LEVEL: 'warn' } });
    await eventually('all follow-up work to finish', () => missingConsequences(snapshotOf(restored).events).length === 0);
    const snapshot = snapshotOf(restored);
    expect(logViolations(snapshot.events)).toEqual([]);
    expect(before.contradictions(snapshot.events)).toEqual([]);
    expect(differencesFromReplay(snapshot)).toEqual([]);
    // The keys are in the backup: a token of the old folder is valid, and encrypted names are readable.
    const call = caller(restoredStore.url, token);
    const payments = before.acknowledged().filter(({ request }) => request.event === 'PaymentRequested');
    const names: unknown[] = [];
    for (const { request } of payments) {
      const { status, json } = await call('GET', request.path);
      if (status === 200) names.push((json['source'] as { name?: unknown }).name);
    }
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => typeof name !== 'string' || !/^(Carded|Banked) Payer$/.test(name))).toEqual([]);
    expect((await call('GET', '/v1/inventories')).status).toBe(200);
  }, 60_000);

  it('exits with 2 if its target is not an empty folder, and a restore exits with 2 if its folders are wrong', async () => {
    const [dataDir, backup, full] = [newFolder(), join(newFolder(), 'copy'), newFolder()];
    await (await spawnStore({ dataDir })).stop();
    expect((await runPetstore(['backup', backup], { dataDir })).code).toBe(0);
    writeFileSync(join(full, 'mine.txt'), 'not yours');

    for (const [args, folder] of [
      [['restore', backup], full],
      [['restore', backup], dataDir],
      [['backup', full], dataDir],
      [['backup', ':memory:'], dataDir],
      [['restore', full], join(newFolder(), 'new')],
    ] as const) {
      const rejected = await runPetstore(args, { dataDir: folder });
      expect([args[0], rejected.code]).toEqual([args[0], 2]);
      expect(rejected.stderr).not.toMatch(/\n\s+at /);
      expect(rejected.stderr.trim()).not.toBe('');
    }
  }, 30_000);
});
