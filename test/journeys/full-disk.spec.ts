import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { caller, type Answer, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { spawnStore, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { differencesFromReplay, faultsIn } from './replay.js';
import { say } from './say.js';

const SIZE = '24m';
const BLOCK = Buffer.alloc(64 * 1024);

/** A disk of its own that fills up quickly; null, with the reason, where none can be had. */
const smallDisk = (): { readonly folder: string | null; readonly reason: string } => {
  if (process.platform !== 'linux') return { folder: null, reason: 'tmpfs is mounted on Linux only' };
  const folder = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SIZE}`, 'tmpfs', folder], { stdio: 'pipe' });
    return { folder, reason: '' };
  } catch (fault) {
    return { folder: null, reason: `no tmpfs could be mounted: ${String(fault)}` };
  }
};

const { folder: disk, reason } = smallDisk();
if (disk === null) say(`SKIPPED: a store on a full disk: ${reason}`);

afterEach(endPrograms);

afterAll(() => {
  if (disk !== null) execFileSync('umount', [disk]);
  removeFolders();
});

const fill = (file: string): void => {
  const handle = openSync(file, 'w');
  try {
    for (;;) writeSync(handle, BLOCK);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOSPC') throw fault;
  } finally {
    closeSync(handle);
  }
};

/** Much to write, so that whatever room is left in a file is soon used up. */
const bigPet = (name: string) => ({ body: { name, species: 'DOG', ageMonths: 1, description: 'x'.repeat(1_500) } });

type Listing = { readonly name: string; readonly answer: Answer };

const listPets = (call: Call, prefix: string, count: number): Promise<readonly Listing[]> =>
  Promise.all(
    Array.from({ length: count }, (_, n) => `${prefix} ${n}`).map(async (name) => ({
      name,
      answer: await call('POST', '/v1/pets', bigPet(name)),
    })),
  );

(disk === null ? describe.skip : describe)(`a store on a full disk${reason && ` (${reason})`}`, () => {
  it('answers 503, loses nothing that it acknowledged, and goes on once there is room', async () => {
    const dataDir = join(disk ?? '', 'data');
    const ballast = join(disk ?? '', 'ballast');
    const store = await spawnStore({ dataDir, env: { LOG_LEVEL: 'warn' } });
    const token = await tokenFor(dataDir);
    const call = caller(store.url, token);
    const listings: Listing[] = [...(await listPets(call, 'Early', 20))];
    expect(listings.map(({ answer }) => answer.status)).toEqual(listings.map(() => 201));

    fill(ballast);
    const refused = await eventually('a refusal', async () => {
      const some = await listPets(call, `Late ${listings.length}`, 8);
      listings.push(...some);
      return some.find(({ answer }) => answer.status !== 201)?.answer;
    });
    expect(refused.status).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect(refused.headers['content-type']).toContain('application/problem+json');
    // What was there can still be read.
    const early = String(listings[0]?.answer.json['id']);
    expect((await call('GET', `/v1/pets/${early}`)).status).toBe(200);
    expect((await call('POST', '/v1/orders', { body: { petId: early } })).status).toBe(503);

    rmSync(ballast);
    const after = await eventually('a success', async () => {
      const [listing] = await listPets(call, `After ${listings.length}`, 1);
      if (listing) listings.push(listing);
      return listing?.answer.status === 201 ? listing : null;
    });
    expect(after.answer.status).toBe(201);
    expect((await call('POST', '/v1/orders', { body: { petId: early } })).status).toBe(201);
    expect(await store.stop()).toEqual({ code: 0, signal: null });

    const snapshot = snapshotOf(dataDir);
    const names = snapshot.events.flatMap(({ type, data }) =>
      type === 'PetListed' ? [(JSON.parse(data) as { details: { name: string } }).details.name] : [],
    );
    expect(names.toSorted()).toEqual(
      listings
        .filter(({ answer }) => answer.status === 201)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect([...new Set(listings.map(({ answer }) => answer.status))].toSorted()).toEqual([201, 503]);
    expect(faultsIn(snapshot.events)).toEqual([]);
    expect(differencesFromReplay(snapshot)).toEqual([]);
    const again = await spawnStore({ dataDir, env: { LOG_LEVEL: 'warn' } });
    expect((await caller(again.url, token)('GET', `/v1/pets/${early}`)).json['status']).toBe('PENDING');
  }, 60_000);
});
