import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { manifestStart } from '../../libs/audit/export/export-file.js';
import type { ExportManifest } from '../../libs/audit/export/manifest.js';
import { verifyExport, type VerifiedExport } from '../../libs/audit/export/verify-export.js';
import { publicKeysOf, type PublicJwk } from '../../libs/audit/keys/public-keys.js';
import { eventually } from '../eventually.js';
import type { HttpResponse } from '../servers/client.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore } from '../servers/process.js';
import { itOnOwnPetstore, startOwnPetstore, startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';
import { PRICED_PET } from './shop.js';

type Begun = {
  readonly id: string;
  readonly events: number;
  readonly to: string | null;
  readonly cover: { readonly index: number; readonly size: number; readonly time: string };
};

const AUDITOR = 'audit:read ops';

let service: TestPetstore;
beforeAll(async () => {
  service = await startTestPetstore();
});
afterAll(async () => {
  await service.stop();
  removeFolders();
});

const addPet = async (to: TestPetstore, tenant?: string): Promise<string> => {
  const token = await to.token('write:pets', tenant === undefined ? {} : { tenant });
  return (await to.request<{ id: string }>('POST', '/v1/pets', { token, body: PRICED_PET })).json.id;
};

const begin = async (to: TestPetstore, body: object): Promise<HttpResponse<Begun>> =>
  to.request<Begun>('POST', '/v1/audit/exports', { token: await to.token(AUDITOR), body });
const read = async (to: TestPetstore, id: string): Promise<HttpResponse> =>
  to.request('GET', `/v1/audit/exports/${id}`, { token: await to.token(AUDITOR) });
const exported = async (to: TestPetstore, body: object): Promise<Buffer> => {
  const begun = await begin(to, body);
  expect(begun.status).toBe(200);
  const { status, bytes } = await read(to, begun.json.id);
  expect(status).toBe(200);
  return bytes;
};

const verify = async (file: Buffer): Promise<VerifiedExport & { readonly statement: ExportManifest }> => {
  const { json } = await service.request<{ readonly keys: readonly PublicJwk[] }>('GET', '/v1/audit/public-keys');
  const start = manifestStart(file.length, (from, to) => file.subarray(from, to)) ?? -1;
  const parts = { manifest: file.subarray(start).toString(), chunks: [file.subarray(0, start)] };
  return verifyExport({ ...parts, keys: publicKeysOf(json.keys), collected: [] }) as VerifiedExport & {
    readonly statement: ExportManifest;
  };
};

/** Waits for a new millisecond and returns its time. All earlier events have an earlier time. */
const now = async (): Promise<string> => {
  const time = new Date().toISOString();
  await eventually('the next millisecond', () => new Date().toISOString() > time);
  return new Date().toISOString();
};

/** Proves contract 35.17. */
describe('an export over HTTP', () => {
  it('of all events proves that it is whole, and has the same id and bytes each time', async () => {
    await addPet(service);
    const { json: begun } = await begin(service, {});
    const file = (await read(service, begun.id)).bytes;
    const { statement, faults } = await verify(file);
    expect([faults, statement.cover.checkpoint.index, statement.count]).toEqual([[], begun.cover.index, begun.events]);
    expect(begun.events).toBe(begun.cover.size);
    const range = { from: statement.cover.checkpoint.time, to: await now() };
    const first = await exported(service, range);
    await addPet(service);
    expect((await exported(service, range)).equals(first)).toBe(true);
    expect((await read(service, begun.id)).bytes.equals(file)).toBe(true);
  });

  it('of a tenant, of a stream and of a range without events proves that it is whole', async () => {
    const tenant = randomUUID();
    const from = await now();
    const pet = await addPet(service, tenant);
    await addPet(service);
    const to = await now();
    const stream = `pet-${pet}`;
    // The events of a tenant may include those of its numbers.
    for (const [scope, least, most] of [
      [{ from, to, tenant: tenant.toUpperCase() }, 1, 3],
      [{ from, to, stream }, 1, 1],
      [{ to: from, stream }, 0, 0],
      [{ tenant }, 1, 3],
    ] as const) {
      const { statement, faults } = await verify(await exported(service, scope));
      expect([scope, faults, statement.count >= least && statement.count <= most]).toEqual([scope, [], true]);
    }
  });

  it('makes a checkpoint if none is as late as its end, even without events since the last one', async () => {
    await begin(service, {});
    for (let n = 0; n < 2; n++) {
      const to = await now();
      const { status, json } = await begin(service, { to });
      expect([status, json.cover.time >= to]).toEqual([200, true]);
    }
  });

  it('is rejected with an end in the future, of a tenant or a stream without events, and with another id', async () => {
    expectProblem(await begin(service, { to: '2999-01-01T00:00:00Z' }), 422, 'validation-failed', { to: 'too_big' });
    for (const scope of [{ tenant: randomUUID() }, { stream: 'pet-x' }]) expectProblem(await begin(service, scope), 404, 'not-found');
    const { json } = await begin(service, {});
    const idOf = (change: object): string => {
      const planned = JSON.parse(Buffer.from(json.id, 'base64url').toString()) as object;
      return Buffer.from(JSON.stringify({ ...planned, ...change })).toString('base64url');
    };
    expect(idOf({})).toBe(json.id);
    const changes = [
      { cover: 1e9 },
      { cover: -1 },
      { to: '2020-01-01' },
      { tenant: 'x', stream: 'y' },
      { stream: 7 },
      { more: 1 },
      { to: 'x' },
      { to: '+010000-01-01T00:00:00.000Z' },
    ];
    for (const id of ['x', 'bnVsbA', `${json.id}A`, ...changes.map(idOf)]) expectProblem(await read(service, id), 404, 'not-found');
  });

  it('has no query parameters', async () => {
    const token = await service.token(AUDITOR);
    for (const [method, path] of [
      ['POST', '/v1/audit/exports?page=1'],
      ['GET', '/v1/audit/exports/x?page=1'],
    ] as const)
      expectProblem(await service.request(method, path, { token, ...(method === 'POST' && { body: {} }) }), 400, 'invalid-request', {
        page: 'unknown_parameter',
      });
  });

  it('needs the scopes audit:read and ops, and a token that is bound to no tenant', async () => {
    const { json } = await begin(service, {});
    const tenant = randomUUID();
    for (const token of [await service.token('audit:read'), await service.token('ops'), await service.token(AUDITOR, { tenant })]) {
      expectProblem(await service.request('POST', '/v1/audit/exports', { token, body: {} }), 403, 'forbidden');
      expectProblem(await service.request('GET', `/v1/audit/exports/${json.id}`, { token }), 403, 'forbidden');
    }
    for (const [method, path] of [
      ['POST', '/v1/audit/exports'],
      ['GET', `/v1/audit/exports/${json.id}`],
    ] as const)
      expectProblem(await service.request(method, path, { ...(method === 'POST' && { body: {} }) }), 401, 'unauthorized');
  });

  itOnOwnPetstore('has the bytes of both files of the command', async () => {
    const dataDir = newFolder();
    const own = await startOwnPetstore({ DATA_DIR: dataDir });
    const tenant = randomUUID();
    const pet = await addPet(own, tenant);
    const from = await now();
    for (let n = 0; n < 260; n++) await addPet(own, n % 2 === 0 ? tenant : undefined);
    const to = await now();
    for (const scope of [{}, { from }, { tenant }, { stream: `pet-${pet}` }]) {
      const folder = join(newFolder(), 'export');
      const file = await exported(own, { ...scope, to });
      const options = Object.entries({ ...scope, to }).flatMap(([name, value]) => [`--${name}`, value]);
      expect(await runPetstore(['audit', 'export', '--out', folder, ...options], { dataDir })).toMatchObject({ code: 0 });
      const files = ['events.ndjson', 'manifest.json'].map((name) => readFileSync(join(folder, name)));
      expect([scope, file.equals(Buffer.concat(files))]).toEqual([scope, true]);
    }
    await own.stop();
  });

  itOnOwnPetstore('of an altered log is 503 if its first page is damaged, and later ends without a manifest', async () => {
    const dataDir = newFolder();
    const own = await startOwnPetstore({ DATA_DIR: dataDir });
    for (let n = 0; n < 400; n++) await addPet(own);
    const { json } = await begin(own, {});
    const alter = (position: number): void => {
      const database = new DatabaseSync(join(dataDir, 'petstore.sqlite'), { timeout: 5_000 });
      database.prepare('UPDATE events SET data = ? WHERE position = ?').run('{"status":"forged"}', position);
      database.close();
    };
    alter(380);
    await expect(read(own, json.id)).rejects.toThrow('aborted');
    alter(2);
    expectProblem(await read(own, json.id), 503, 'history-altered');
    await own.stop();
  });
});
