import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { aggregateIdOf } from '../../libs/eventsourcing/message.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startPetstore, runPetstore, startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf, tamperWith } from '../servers/snapshot.js';
import { fillFolder } from './fill-folder.js';
import { addNumbered, numbersOf, observeNumbers } from './number-scene.js';
import { differencesFromReplay } from './replay.js';

const PETS = 20_000;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

let filledFolder: string;

beforeAll(async () => {
  filledFolder = mkdtempSync(join(tmpdir(), 'petstore-filled-'));
  await fillFolder(filledFolder, PETS);
});

afterAll(() => rmSync(filledFolder, { recursive: true }));

/** Returns a copy of the folder with pets. */
const folderWithPets = (): string => {
  const dataDir = newFolder();
  cpSync(filledFolder, dataDir, { recursive: true });
  return dataDir;
};

/** Proves contract 24.3 and contract 39.3. */
describe('projections rebuild', () => {
  it('resumes after Ctrl-C and after a kill, and completes', async () => {
    const dataDir = folderWithPets();
    const interrupted = startPetstore(['projections', 'rebuild'], { dataDir });
    await eventually('the first progress', () => /%/.test(interrupted.stderr()));
    interrupted.signal('SIGINT');
    expect((await interrupted.ended).code).toBe(2);
    expect(interrupted.stderr()).toContain('the rebuild was interrupted');
    expect(interrupted.stderr()).not.toMatch(/\n\s+at /);

    const killed = startPetstore(['projections', 'rebuild'], { dataDir });
    await eventually('some progress', () => /%/.test(killed.stderr()));
    killed.signal('SIGKILL');
    expect((await killed.ended).signal).toBe('SIGKILL');

    const finished = await runPetstore(['projections', 'rebuild'], { dataDir });
    expect(finished.code).toBe(0);
    expectInvariant('the read models equal a replay', differencesFromReplay(snapshotOf(dataDir)));
  });

  it('is completed by the service when the command was killed', async () => {
    const dataDir = folderWithPets();
    const killed = startPetstore(['projections', 'rebuild'], { dataDir });
    await eventually('some progress', () => /%/.test(killed.stderr()));
    killed.signal('SIGKILL');
    await killed.ended;
    const service = await startServiceProcess({ dataDir });
    const call = caller(service.url, await tokenFor(dataDir));
    await eventually('every pet to be listed', async () => (await totalPets(call)) === PETS);
    await eventually('the read models to equal a replay', () => differencesFromReplay(snapshotOf(dataDir)).length === 0);
    await service.stop();
  });

  it('finds a changed event in a long log, whose chains a thread verifies', async () => {
    const dataDir = folderWithPets();
    const { stream = '' } = snapshotOf(dataDir).events[15_000] ?? {};
    expect(tamperWith(dataDir, stream, '"name":"', '"name":"Not ')).toBe(1);
    const rebuild = (...options: readonly string[]) => runPetstore(['projections', 'rebuild', ...options], { dataDir });
    const refused = await rebuild();
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining(`${stream}, revision 0: `)]);
    const accepted = await rebuild('--accept-altered');
    expect([accepted.code, accepted.stderr]).toEqual([3, expect.stringContaining(`${stream}, revision 0: `)]);
    const service = await startServiceProcess({ dataDir });
    const call = caller(service.url, await tokenFor(dataDir));
    expect([await totalPets(call), (await call('GET', `/v1/pets/${aggregateIdOf(stream)}`)).status]).toEqual([PETS - 1, 503]);
    await service.stop();
  });

  it('is rejected while a service runs on the folder, and keeps the integer ids of pets and orders', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const token = await tokenFor(dataDir);
    await addNumbered(service.url, token);
    const numbered = await observeNumbers(service.url, token);
    const rejected = await runPetstore(['projections', 'rebuild'], { dataDir });
    expect(rejected.code).toBe(2);
    expect(rejected.stderr).toContain(String(service.pid));
    await service.stop();
    expect((await runPetstore(['projections', 'rebuild'], { dataDir })).code).toBe(0);
    const rebuilt = await startServiceProcess({ dataDir });
    expect(numbersOf(numbered)).toHaveLength(6);
    expect(await observeNumbers(rebuilt.url, token)).toEqual(numbered);
    await rebuilt.stop();
  });
});

const totalPets = async (call: ReturnType<typeof caller>): Promise<unknown> => {
  const { json } = await call('GET', '/v1/pets?status=ALL&limit=1');
  return (json['pagination'] as { totalItems?: unknown } | undefined)?.totalItems;
};

/** Proves contract 23.5 and contract 23.6. */
describe('an event that was changed after it was written', () => {
  it('is detected when its stream is loaded: the response is a problem, and the log names the stream', async () => {
    const dataDir = newFolder();
    const first = await startServiceProcess({ dataDir });
    const token = await tokenFor(dataDir);
    const pet = { name: 'Honest', species: 'DOG', ageMonths: 7, status: 'AVAILABLE' };
    const { json } = await caller(first.url, token)('POST', '/v1/pets', { body: pet });
    const other = await caller(first.url, token)('POST', '/v1/pets', { body: { ...pet, name: 'Other' } });
    await first.stop();
    const stream = `pet-${String(json['id'])}`;
    expect(tamperWith(dataDir, stream, 'Honest', 'Hanest')).toBe(1);

    const service = await startServiceProcess({ dataDir });
    const call = caller(service.url, token);
    const before = snapshotOf(dataDir).events.length;
    for (const [method, path, body] of [
      ['PUT', `/v1/pets/${String(json['id'])}`, { ...pet, name: 'New' }],
      ['POST', '/v1/orders', { petId: json['id'] }],
      ['DELETE', `/v1/pets/${String(json['id'])}`, undefined],
    ] as const) {
      const response = await call(method, path, body === undefined ? {} : { body });
      expect(response.status).toBeGreaterThanOrEqual(500);
      expect(response.headers['content-type']).toContain('application/problem+json');
      expect(response.text).not.toContain('Hanest');
    }
    expect(snapshotOf(dataDir).events.length).toBe(before);
    expect(service.stderr()).toContain(stream);
    // Other streams are not affected.
    expect((await call('PUT', `/v1/pets/${String(other.json['id'])}`, { body: { ...pet, name: 'Revised' } })).status).toBe(200);
    await service.stop();
  });

  it('makes rebuild, backup and restore exit with 3 and name the stream and the remedy, and is shown by readiness', async () => {
    const dataDir = newFolder();
    const first = await startServiceProcess({ dataDir });
    const token = await tokenFor(dataDir);
    const pet = { name: 'Honest', species: 'DOG', ageMonths: 7, status: 'AVAILABLE' };
    const { json } = await caller(first.url, token)('POST', '/v1/pets', { body: pet });
    await first.stop();
    const stream = `pet-${String(json['id'])}`;
    expect(tamperWith(dataDir, stream, 'Honest', 'Hanest')).toBe(1);

    const evidence = join(newFolder(), 'evidence');
    const commands = [
      [['projections', 'rebuild'], 'stay in service'],
      [['projections', 'rebuild', '--accept-altered'], 'are in service without'],
      [['backup', join(newFolder(), 'backup')], 'Nothing was copied'],
      [['backup', '--as-evidence', evidence], 'as evidence'],
      [['restore', evidence], 'Nothing was restored'],
    ] as const;
    for (const [args, consequence] of commands) {
      const { code, stderr } = await runPetstore(args, { dataDir, env: { LOG_LEVEL: 'silent' } });
      expect([code, stderr]).toEqual([3, expect.stringContaining(`${stream}, revision 0: `)]);
      expect(stderr).toContain('Remedy: ');
      expect(stderr).toContain(consequence);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
    const service = await startServiceProcess({ dataDir });
    const readiness = async () => (await fetch(`${service.url}/health/ready`)).text();
    await eventually('readiness to show it', async () => (await readiness()).includes('"history":"altered"'));
    expect((await caller(service.url, token)('GET', `/v1/pets/${String(json['id'])}`)).status).toBe(503);
    await service.stop();
  });
});
