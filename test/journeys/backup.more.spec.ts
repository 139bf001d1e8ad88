import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { addScene, SCENE_URL } from './accounts-scene.js';
import { addImages, observeImages } from './image-scene.js';
import { missingConsequences } from './consequences.js';
import { addNumbered, nextNumber, numbersOf, observeNumbers } from './number-scene.js';
import { differencesFromReplay, logViolations } from './replay.js';
import { createSharedState, startLoad } from './shoppers.js';
import { RequestRecorder } from './request-recorder.js';
import { observeScene, useRefreshTokens } from './scene-observation.js';

const SEED = 11;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const env = { LOG_LEVEL: 'warn', PUBLIC_URL: SCENE_URL };

/** Proves contract 24.1, contract 31.2, contract 32.5, contract 37.10 and contract 39.3. */
describe('a backup of a service under load', () => {
  it('contains every change that was acknowledged before it began, and can be restored', async () => {
    const [dataDir, backup, restored] = [newFolder(), join(newFolder(), 'copy'), join(newFolder(), 'again')];
    const service = await startServiceProcess({ dataDir, env });
    const token = await tokenFor(dataDir);
    const scene = await addScene({ url: service.url, operator: token });
    const seen = await observeScene({ url: service.url, operator: token }, scene);
    const images = await addImages(service.url, token);
    const shown = await observeImages(service.url, images);
    await addNumbered(service.url, token);
    const numbered = await observeNumbers(service.url, token);
    const recorder = new RequestRecorder();
    const load = startLoad({
      url: service.url,
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
    expect(recorder.unexpectedResponses()).toEqual([]);
    expect(await service.stop()).toEqual({ code: 0, signal: null });

    const restoredResult = await runPetstore(['restore', backup], { dataDir: restored });
    expect([restoredResult.code, restoredResult.stderr]).toEqual([0, '']);
    const restoredStore = await startServiceProcess({ dataDir: restored, env });
    await eventually('all follow-up work to finish', () => missingConsequences(snapshotOf(restored).events).length === 0);
    const snapshot = snapshotOf(restored);
    expectInvariant('the log is valid', logViolations(snapshot.events));
    expectInvariant('the log matches the responses', before.contradictions(snapshot.events));
    expectInvariant('the read models equal a replay', differencesFromReplay(snapshot));
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
    // Accounts, passwords, sessions, ended tokens, keys, clients and grants are in the backup, too.
    expect(await observeScene({ url: restoredStore.url, operator: token }, scene)).toEqual(seen);
    await useRefreshTokens(restoredStore.url, scene);
    // The images are in the backup, too.
    expect(shown).toMatchObject({ images: [...Array.from({ length: 4 }, () => ({ status: 200 })), { status: 404 }] });
    expect(await observeImages(restoredStore.url, images)).toEqual(shown);
    // Pets and orders have the same integer ids as before the backup, and a new pet gets another one.
    expect(numbersOf(numbered)).toHaveLength(6);
    expect(await observeNumbers(restoredStore.url, token)).toEqual(numbered);
    expect(numbersOf(numbered)).not.toContain(await nextNumber(restoredStore.url, token));
  });

  it('exits with 2 if its target is not an empty folder, and a restore exits with 2 if its folders are wrong', async () => {
    const [dataDir, backup, full] = [newFolder(), join(newFolder(), 'copy'), newFolder()];
    await (await startServiceProcess({ dataDir })).stop();
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
  });
});
