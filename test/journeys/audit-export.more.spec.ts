import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditedChange } from '../../apps/api/audit/audit.dto.js';
import { eventually } from '../eventually.js';
import { createClient } from '../servers/client.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms, ROOT, runProgram, type ProgramResult } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { sharedPython } from '../servers/services/python.js';
import { REJECTED } from './command-fixture.js';

type ExportedLine = { readonly stream: string };

const ALTERED = 3;
const TENANT = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const LUNA = { name: 'Luna', species: 'DOG', ageMonths: 12 };
const ANN = { username: 'ann.example', email: 'ann@example.com', password: 'correct horse battery' };
const VERIFIER = join(ROOT, 'examples', 'audit-verifier', 'verify.py');

/** A service with pets of a tenant and of the shared pool, and an erased account. `copies` has its keys and checkpoints. */
let service: ServiceProcess;
const dataDir = newFolder();
const copies = newFolder();
const keys = join(copies, 'keys.json');
const against = join(copies, 'checkpoints.ndjson');
/** A range that begins after the first events, and that ends before the last ones. */
let range: readonly string[];
/** The pet whose price was changed in the range. */
let pet: string;
/** The stream of the erased account. */
let erased: string;

const run = (...args: readonly string[]): Promise<ProgramResult> => runPetstore(['audit', ...args], { dataDir });
const verify = (folder: string): Promise<ProgramResult> => run('verify', folder, '--key', keys);
/** Exports to a new folder, and returns it. */
const exported = async (...options: readonly string[]): Promise<string> => {
  const folder = join(newFolder(), 'export');
  expect(await run('export', '--out', folder, ...options)).toMatchObject({ code: 0 });
  return folder;
};
const filesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** Waits for a new millisecond and returns its time. All earlier events have an earlier time. */
const now = async (): Promise<string> => {
  const time = new Date().toISOString();
  await eventually('the next millisecond', () => new Date().toISOString() > time);
  return new Date().toISOString();
};

beforeAll(async () => {
  service = await startServiceProcess({ dataDir });
  const token = await tokenFor(dataDir);
  const client = createClient(service.url);
  const list = async (tenant?: string): Promise<void> => {
    const headers = tenant === undefined ? {} : { 'x-tenant-id': tenant };
    expect((await client.send('POST', '/v1/pets', { token, body: LUNA, headers })).status).toBe(201);
  };
  for (const tenant of [undefined, TENANT]) await list(tenant);
  const listed = (await client.send('POST', '/v1/pets', { token, body: { ...LUNA, price: '250.00', currency: 'EUR' } })).json;
  pet = (listed as { readonly id: string }).id;
  await run('checkpoint');
  const from = await now();
  for (const tenant of [TENANT, undefined, TENANT]) await list(tenant);
  const revised = { ...LUNA, price: '99.00', currency: 'EUR', status: 'AVAILABLE' };
  expect((await client.send('PUT', `/v1/pets/${pet}`, { token: await tokenFor(dataDir), body: revised })).status).toBe(200);
  const { json } = await client.send('POST', '/v1/users', { body: ANN });
  const { id } = json as { readonly id: string };
  expect((await client.send('DELETE', `/v1/users/${id}`, { token })).status).toBe(204);
  erased = `user-${id}`;
  const to = await now();
  range = ['--from', from, '--to', to];
  for (const tenant of [TENANT, undefined]) await list(tenant);
  client.close();
  await run('checkpoint');
  writeFileSync(keys, (await run('key')).stdout);
  writeFileSync(against, (await run('checkpoints')).stdout);
});
afterAll(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 35.5 and 35.6 with real processes. */
describe('petstore audit export', () => {
  it('makes the same bytes each time, while the service runs and after its stop, without personal data', async () => {
    const first = filesOf(await exported(...range));
    expect(Object.keys(first).sort()).toEqual(['events.ndjson', 'manifest.json']);
    expect(filesOf(await exported(...range))).toEqual(first);
    await service.stop();
    expect(filesOf(await exported(...range))).toEqual(first);
    expect(Object.values(first).join('')).not.toMatch(/ann[.@]example/);
    expect(first['events.ndjson']).toContain('UserErased');
  });

  it('makes exports that the command verifies offline: of the log, of a tenant and of an erased account', async () => {
    const folder = await exported(...range);
    expect(await runPetstore(['audit', 'verify', folder, '--key', keys, '--against', against], { dataDir: newFolder() })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/None is missing in the range\.\nRange: from 20\S+Z to 20\S+Z\.\nCompared .*: 2\.\n$/),
    });
    expect((await verify(await exported(...range, '--tenant', TENANT))).stdout).toContain(`whole: 2 events of tenant ${TENANT}.`);
    expect((await verify(await exported('--stream', erased))).stdout).toMatch(
      /whole: \d events of stream user-\S+ None of its events in the range is missing\.\n/,
    );
    expect((await verify(await exported())).code).toBe(0);
  });

  it('makes exports that are verified as one file, too, and not without the manifest', async () => {
    const folder = await exported(...range);
    expect(await verify(fileOf(folder))).toMatchObject({ code: 0, stdout: (await verify(folder)).stdout });
    const events = readFileSync(join(folder, 'events.ndjson')).length;
    const share = events / (events + readFileSync(join(folder, 'manifest.json')).length);
    expect(await verify(fileOf(folder, share))).toMatchObject({
      code: REJECTED,
      stderr: expect.stringContaining('is not a finished export: its last line is no manifest'),
    });
    expect((await verify(fileOf(folder, 0.99))).code).toBe(ALTERED);
  });

  it('proves what the history of a pet shows: who changed its price, and when', async () => {
    const { code, stdout } = await runPetstore(['history', pet, '--json'], { dataDir });
    const events = JSON.parse(stdout) as readonly AuditedChange[];
    const change = events.find(({ type }) => type === 'PetDetailsRevised');
    expect([code, change?.changes]).toEqual([0, expect.arrayContaining([{ field: 'price', from: '250.00', to: '99.00' }])]);
    const folder = await exported(...range);
    expect((await verify(folder)).code).toBe(0);
    const lines = readFileSync(join(folder, 'events.ndjson'), 'utf8').trimEnd().split('\n');
    const shown = lines.map((line) => JSON.parse(line) as ExportedLine).filter(({ stream }) => stream === `pet-${pet}`);
    expect(shown).toMatchObject([
      {
        ...{ type: 'PetDetailsRevised', revision: 1, data: { details: { price: '99.00' } } },
        metadata: { actor: change?.actor, time: change?.time, requestId: change?.requestId },
      },
    ]);
  });

  it('says what is wrong with a folder, a range or a key', async () => {
    const folder = await exported(...range);
    const rejected = async (text: string, ...args: readonly string[]): Promise<void> =>
      expect(await run(...args)).toMatchObject({ code: REJECTED, stderr: expect.stringContaining(text) });
    await rejected('has an export already', 'export', '--out', folder);
    await rejected('is not empty', 'export', '--out', copies);
    await rejected('is in the future', 'export', '--out', join(folder, 'new'), '--to', '2999-01-01');
    await rejected('is not before --to', 'export', '--out', join(folder, 'new'), '--from', '2020-01-02', '--to', '2020-01-01');
    await rejected('has no stream pet-x', 'export', '--out', join(folder, 'new'), '--stream', 'pet-x');
    await rejected('cannot be used with', 'export', '--out', folder, '--stream', 'pet-x', '--tenant', TENANT);
    await rejected('--key is missing', 'verify', folder);
    await rejected('is not a finished export', 'verify', copies, '--key', keys);
    const other = newFolder();
    await runPetstore(['seed', '--pets', '1', '--pictures', '0'], { dataDir: other });
    const otherKeys = join(newFolder(), 'keys.json');
    writeFileSync(otherKeys, (await runPetstore(['audit', 'key'], { dataDir: other })).stdout);
    expect(await run('verify', folder, '--key', otherKeys)).toMatchObject({
      code: ALTERED,
      stderr: expect.stringMatching(/manifest\.json: the key \S+ is not among the known public keys/),
    });
  });
});

/** Returns the export file of a folder (contract 35.17), or a part of it. */
const fileOf = (folder: string, share = 1): string => {
  const bytes = Buffer.concat(['events.ndjson', 'manifest.json'].map((name) => readFileSync(join(folder, name))));
  const path = join(newFolder(), 'export.ndjson');
  writeFileSync(path, bytes.subarray(0, Math.floor(share * bytes.length)));
  return path;
};

/** Returns a copy of an export in which one byte of a file is changed. `share` is the place of the byte, from 0 to 1. */
const withChangedByte = (folder: string, name: string, share: number): string => {
  const copy = join(newFolder(), 'copy');
  cpSync(folder, copy, { recursive: true });
  const bytes = readFileSync(join(copy, name));
  const at = Math.floor(share * (bytes.length - 1));
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  writeFileSync(join(copy, name), bytes);
  return copy;
};

const SCOPES = [[], ['--tenant', TENANT], ['--tenant', 'shared'], ['--stream', 'erased']];

/** Proves contract 35.6 with a second verifier, which is written from docs/audit.md. */
describeIfAvailable('the verifier in Python', await sharedPython(), ({ python }) => {
  const verifyInPython = (folder: string): Promise<ProgramResult> => runProgram(python, [VERIFIER, folder, keys]);

  it.each(SCOPES)('agrees with the command about an export and its changed bytes: %s %s', async (...options: readonly string[]) => {
    const folder = await exported(...range, ...options.map((option) => (option === 'erased' ? erased : option)));
    expect(await verifyInPython(folder)).toMatchObject({ code: 0, stdout: 'The export is whole.\n' });
    expect((await verifyInPython(fileOf(folder))).code).toBe(0);
    expect((await verifyInPython(fileOf(folder, 0.99))).code).toBe(1);
    const changes = ['events.ndjson', 'manifest.json'].flatMap((name) => [0, 0.3, 0.6, 1].map((share) => [name, share] as const));
    for (const [name, share] of changes) {
      const changed = withChangedByte(folder, name, share);
      expect([name, share, (await verify(changed)).code]).toEqual([name, share, ALTERED]);
      expect([name, share, (await verifyInPython(changed)).code]).toEqual([name, share, 1]);
    }
  });
});
