import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '../../libs/adapters/system/index.js';
import { openStoreKeys } from '../../libs/adapters/sqlite/index.js';
import { userSubject } from '../../libs/domain/events.js';
import { isSealed } from '../../libs/eventsourcing/sealed.js';
import { openSealed } from '../../libs/runtime/codec/sealing.js';
import { expectInvariant } from '../expect-invariant.js';
import { caller, type Call } from '../servers/calling.js';
import { filesUnder } from '../servers/canaries.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess, STAFF_SCOPES, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { snapshotOf } from '../servers/snapshot.js';
import { addPerson, ALL_PERSONAL, cacheablePaths, leaveFills, pay, personalIn, readFills, revalidate, shownOf } from './erasure-scene.js';
import { differencesFromReplay } from './replay.js';

const REJECTED = 2;
const PRODUCTION = { NODE_ENV: 'production', PUBLIC_URL: 'https://pets.example.com', ACCESS_POLICY: 'strict' };

let receiver: Receiver | undefined;
afterEach(async () => {
  await endPrograms();
  await receiver?.close();
  removeFolders();
});

const start = async (dataDir: string): Promise<{ readonly service: ServiceProcess; readonly call: Call }> => {
  // The service reads the caller's address from X-Forwarded-For, so the test can choose an address and search for it.
  const service = await startServiceProcess({ dataDir, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  return { service, call: caller(service.url, await tokenFor(dataDir, `${STAFF_SCOPES} audit:read`)) };
};
const run = async (dataDir: string, ...args: readonly string[]): Promise<void> => {
  const { code, stderr } = await runPetstore(args, { dataDir });
  expect([args[0], code, stderr.replace(/^.*%.*$/gm, '')]).toEqual([args[0], 0, expect.not.stringMatching(/error/i)]);
};
const sealedIn = (value: unknown): readonly { readonly subject: unknown }[] => {
  if (typeof value !== 'object' || value === null) return [];
  return isSealed(value) ? [value] : Object.values(value).flatMap(sealedIn);
};

/** Returns the store of a stopped service in which a person was erased, and a backup from before the erasure. */
const erasedStore = async () => {
  const [dataDir, backup, list] = [newFolder(), join(newFolder(), 'backup'), join(newFolder(), 'erasures.json')];
  receiver = await openReceiver();
  const first = await start(dataDir);
  const person = await addPerson(first.service.url, first.call, receiver);
  const before = await shownOf(first.call, person);
  const paths = cacheablePaths(person);
  const cached = (await revalidate(first.call, paths, [])).map(({ etag }) => etag);
  await run(dataDir, 'backup', backup);
  expect((await caller(first.service.url, person.token)('DELETE', `/v1/users/${person.userId}`)).status).toBe(204);
  const after = await shownOf(first.call, person);
  const revalidated = await revalidate(first.call, paths, cached);
  await run(dataDir, 'erasures', 'export', list);
  await first.service.stop();
  return { dataDir, backup, list, person, before, after, cached, revalidated };
};

/** Proves contract 38.1, contract 38.2, contract 38.3 and contract 23.7. */
describe('an erased person', () => {
  it('is shown nowhere, also after a rebuild, and no key or later backup opens what was copied before', async () => {
    const { dataDir, backup, person, before, after } = await erasedStore();
    expect(before).toEqual(ALL_PERSONAL);
    expect(after).toEqual([]);
    await run(dataDir, 'projections', 'rebuild');
    const again = await start(dataDir);
    expect(await shownOf(again.call, person)).toEqual([]);
    const replayed = await pay(again.service.url, person.orderId);
    expect([replayed.status, replayed.headers['idempotent-replayed'], replayed.json['source']]).toEqual([
      201,
      'true',
      expect.objectContaining({ name: null, addressCity: null, last4: '4242' }),
    ]);
    await run(dataDir, 'audit', 'verify');
    await again.service.stop();

    const later = join(newFolder(), 'later');
    await run(dataDir, 'backup', later);
    const copied = await openStoreKeys(backup, systemClock);
    const key = await copied.lookUp('personal', userSubject(person.userId));
    await copied.close();
    expect(key).toHaveLength(32);
    for (const [path, bytes] of [...filesUnder(dataDir), ...filesUnder(later)])
      expect([path, bytes.includes(Buffer.from(key ?? []))]).toEqual([path, false]);
    const ofPerson = snapshotOf(backup)
      .events.flatMap(({ data }) => sealedIn(typeof data === 'string' ? JSON.parse(data) : data))
      .filter(({ subject }) => [subject].flat().includes(userSubject(person.userId)));
    expect(ofPerson.length).toBeGreaterThan(10);
    const keys = await openStoreKeys(dataDir, systemClock);
    for (const sealed of ofPerson) expect(await openSealed(keys, JSON.stringify(sealed))).toBe('null');
    await keys.close();
  });

  /** Proves contract 43.7. */
  it('is shown by no held, replaced or paused read model, which contain sealed values only', async () => {
    const dataDir = newFolder();
    receiver = await openReceiver();
    const { service, call } = await start(dataDir);
    const person = await addPerson(service.url, call, receiver);
    await leaveFills(call);
    expect(await shownOf(call, person)).toEqual(ALL_PERSONAL);
    const stored = (): readonly string[] => filesUnder(dataDir).flatMap(([path, bytes]) => personalIn(path, bytes));
    expect(stored()).toEqual([]);
    expect((await caller(service.url, person.token)('DELETE', `/v1/users/${person.userId}`)).status).toBe(204);
    expect(await shownOf(call, person)).toEqual([]);
    await readFills(call);
    expect(await shownOf(call, person)).toEqual([]);
    await service.stop();
    expect(stored()).toEqual([]);
    expectInvariant('the read models equal a replay', differencesFromReplay(snapshotOf(dataDir)));
  });

  it('gives every resource a new entity tag, so that no cache confirms what it has (contract 8.1)', async () => {
    const { person, cached, revalidated } = await erasedStore();
    expect(revalidated).toEqual(cacheablePaths(person).map((path, at) => ({ path, status: 200, etag: cached[at]?.replace(/"$/, '.e"') })));
  });

  it('stays erased when an older backup is restored with the erasures', async () => {
    const { backup, list, person } = await erasedStore();
    const restored = join(newFolder(), 'restored');
    await run(restored, 'restore', backup, '--erasures', list);
    const { call, service } = await start(restored);
    expect(await shownOf(call, person)).toEqual([]);
    expect((await call('GET', `/v1/users/${person.userId}`)).status).toBe(404);
    // The name is free again, because the log has the erasure.
    const body = { username: 'perpetua.wimbleton', email: 'perpetua@quillhaven.example', password: 'correct horse battery' };
    expect((await call('POST', '/v1/users', { body })).status).toBe(201);
    await run(restored, 'audit', 'verify');
    await service.stop();

    // This file is left behind by a restore that is killed before it has appended the erasures to the log.
    writeFileSync(join(restored, 'UNFINISHED-ERASURES.txt'), '');
    const unfinished = await runPetstore(['start'], { dataDir: restored });
    expect([unfinished.code, unfinished.stderr]).toEqual([REJECTED, expect.stringContaining('erasures apply FILE')]);
    await run(restored, 'erasures', 'apply', list);
    await (await start(restored)).service.stop();
  });

  it('would be back without the erasures, which production therefore requires, and those of another store are rejected', async () => {
    const { backup, person } = await erasedStore();
    const restored = join(newFolder(), 'restored');
    const refused = await runPetstore(['restore', backup], { dataDir: restored, env: PRODUCTION });
    expect([refused.code, refused.stderr]).toEqual([REJECTED, expect.stringContaining('pass --erasures FILE')]);

    const [other, foreign] = [newFolder(), join(newFolder(), 'foreign.json')];
    await (await start(other)).service.stop();
    await run(other, 'erasures', 'export', foreign);
    const mismatch = await runPetstore(['restore', backup, '--erasures', foreign], { dataDir: restored });
    expect([mismatch.code, mismatch.stderr]).toEqual([REJECTED, expect.stringContaining('the erasures of another store')]);
    const missing = await runPetstore(['restore', backup, '--erasures', `${foreign}.none`], { dataDir: restored });
    expect([missing.code, missing.stderr]).toEqual([REJECTED, expect.stringContaining('could not be read')]);

    await run(restored, 'restore', backup);
    const { call } = await start(restored);
    expect(await shownOf(call, person)).toEqual(ALL_PERSONAL);
  });
});
