import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { petstore, spawnStore, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { unfinished } from './consequences.js';
import { differencesFromReplay, faultsIn } from './replay.js';
import { openMarket, startLoad } from './shoppers.js';
import { Witness } from './request-recorder.js';

const SEED = 11;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

describe('a backup of a store under load', () => {
  it('holds all that was acknowledged before it began, and a store opens on it', async () => {
    const [dataDir, backup, restored] = [newFolder(), join(newFolder(), 'copy'), join(newFolder(), 'again')];
    const store = await spawnStore({ dataDir, env: { LOG_LEVEL: 'warn' } });
    const token = await tokenFor(dataDir);
    const witness = new Witness();
    const load = startLoad({
      url: store.url,
      token,
      shoppers: 8,
      randomOf: (shopper) => createRandom(SEED + shopper),
      witness,
      market: openMarket(),
    });
    await load.after(300, 'answered');
    const before = new Witness();
    before.outcomes.push(...witness.acknowledged());
    const copied = await petstore(['backup', backup], { dataDir });
    expect([copied.code, copied.stderr]).toEqual([0, '']);
    const during = load.answered();
    await load.stop();
    // The store went on meanwhile, or the copy would prove little.
    expect(during).toBeGreaterThan(before.outcomes.length);
    expect(witness.surprises()).toEqual([]);
    expect(await store.stop()).toEqual({ code: 0, signal: null });

    const put = await petstore(['restore', backup], { dataDir: restored });
    expect([put.code, put.stderr]).toEqual([0, '']);
    const again = await spawnStore({ dataDir: restored, env: { LOG_LEVEL: 'warn' } });
    await eventually('everything that was begun to end', () => unfinished(snapshotOf(restored).events).length === 0);
    const snapshot = snapshotOf(restored);
    expect(faultsIn(snapshot.events)).toEqual([]);
    expect(before.contradictions(snapshot.events)).toEqual([]);
    expect(differencesFromReplay(snapshot)).toEqual([]);
    // A token of the old folder is good on the new one, and what was sealed can be read: the keys came along.
    const call = caller(again.url, token);
    const payments = before.acknowledged().filter(({ deed }) => deed.event === 'PaymentRequested');
    const names: unknown[] = [];
    for (const { deed } of payments) {
      const { status, json } = await call('GET', deed.path);
      if (status === 200) names.push((json['source'] as { name?: unknown }).name);
    }
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => typeof name !== 'string' || !/^(Carded|Banked) Payer$/.test(name))).toEqual([]);
    expect((await call('GET', '/v1/inventories')).status).toBe(200);
  }, 60_000);

  it('is not restored over anything, nor made over anything', async () => {
    const [dataDir, backup, full] = [newFolder(), join(newFolder(), 'copy'), newFolder()];
    await (await spawnStore({ dataDir })).stop();
    expect((await petstore(['backup', backup], { dataDir })).code).toBe(0);
    writeFileSync(join(full, 'mine.txt'), 'not yours');

    for (const [args, folder] of [
      [['restore', backup], full],
      [['restore', backup], dataDir],
      [['backup', full], dataDir],
      [['backup', ':memory:'], dataDir],
      [['restore', full], join(newFolder(), 'new')],
    ] as const) {
      const refused = await petstore(args, { dataDir: folder });
      expect([args[0], refused.code]).toEqual([args[0], 2]);
      expect(refused.stderr).not.toMatch(/\n\s+at /);
      expect(refused.stderr.trim()).not.toBe('');
    }
  }, 30_000);
});
