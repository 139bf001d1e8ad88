import { closeSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { caller, type JsonResponse, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { smallDisk } from '../servers/small-disk.js';
import { snapshotOf } from '../servers/snapshot.js';
import { differencesFromReplay, logViolations } from './replay.js';
import { printLine } from '../print-line.js';

const { disk, reason } = smallDisk('24m');
if (!disk) printLine(`SKIPPED: the service on a full disk: ${reason}`);
const MIB = 1_048_576;
const [DISK_BYTES, OTHER_FILE_BYTES] = [32 * MIB, 3 * MIB];
const { disk: ownDisk } = disk ? smallDisk(`${DISK_BYTES}`) : { disk };

afterEach(endPrograms);

afterAll(() => {
  disk?.unmount();
  ownDisk?.unmount();
  removeFolders();
});

/** Returns a pet with a long description, so that few pets fill the disk. */
const bigPet = (name: string) => ({ body: { name, species: 'DOG', ageMonths: 1, description: 'x'.repeat(1_500) } });

type Listing = { readonly name: string; readonly response: JsonResponse };

const listPets = (call: Call, prefix: string, count: number): Promise<readonly Listing[]> =>
  Promise.all(
    Array.from({ length: count }, (_, n) => `${prefix} ${n}`).map(async (name) => ({
      name,
      response: await call('POST', '/v1/pets', bigPet(name)),
    })),
  );

/** Proves contract 24.1 and contract 25.1. */
(!disk ? describe.skip : describe)(`the service on a full disk${reason && ` (${reason})`}`, () => {
  it('is found by the doctor, although SQLite can then open no file', async () => {
    const dataDir = join(disk?.folder ?? '', 'stopped');
    const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
    await service.stop();
    disk?.fill();
    const { code, stdout } = await runPetstore(['doctor', '--json'], { dataDir, env: { PORT: '0' } });
    disk?.free();
    expect([code, (JSON.parse(stdout) as { findings: { finding: string }[] }).findings.map(({ finding }) => finding)]).toEqual([
      4,
      ['disk-full'],
    ]);
    rmSync(dataDir, { recursive: true });
  });

  it('answers writes with 503, loses no acknowledged change, and continues when there is space', async () => {
    const dataDir = join(disk?.folder ?? '', 'data');
    const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
    const token = await tokenFor(dataDir);
    const call = caller(service.url, token);
    const listings: Listing[] = [...(await listPets(call, 'Early', 20))];
    expect(listings.map(({ response }) => response.status)).toEqual(listings.map(() => 201));

    const readiness = async () => {
      const { status, json } = await call('GET', '/health/ready');
      return { status, writable: (json['details'] as { readonly store: { readonly writable: boolean } }).store.writable };
    };
    const shows = (writable: boolean) => async (): Promise<boolean> => isDeepStrictEqual(await readiness(), { status: 200, writable });
    await eventually('readiness to show that the store is writable', shows(true));
    disk?.fill();
    await eventually('readiness to show a full disk before a write fails', shows(false));
    const rejected = await eventually('a rejected write', async () => {
      const some = await listPets(call, `Late ${listings.length}`, 8);
      listings.push(...some);
      return some.find(({ response }) => response.status !== 201)?.response;
    });
    expect(rejected.status).toBe(503);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect(rejected.headers['content-type']).toContain('application/problem+json');
    const early = String(listings[0]?.response.json['id']);
    expect((await call('GET', `/v1/pets/${early}`)).status).toBe(200);
    expect((await call('POST', '/v1/orders', { body: { petId: early } })).status).toBe(503);

    expect(await readiness()).toEqual({ status: 200, writable: false });

    disk?.free();
    await eventually('readiness to show free space before a write', shows(true));
    const after = await eventually('a success', async () => {
      const [listing] = await listPets(call, `After ${listings.length}`, 1);
      if (listing) listings.push(listing);
      return listing?.response.status === 201 ? listing : null;
    });
    expect(after.response.status).toBe(201);
    expect((await call('POST', '/v1/orders', { body: { petId: early } })).status).toBe(201);
    expect(await service.stop()).toEqual({ code: 0, signal: null });

    const snapshot = snapshotOf(dataDir);
    const names = snapshot.events.flatMap(({ type, data }) =>
      type === 'PetListed' ? [(JSON.parse(data) as { details: { name: string } }).details.name] : [],
    );
    expect(names.toSorted()).toEqual(
      listings
        .filter(({ response }) => response.status === 201)
        .map(({ name }) => name)
        .toSorted(),
    );
    expect([...new Set(listings.map(({ response }) => response.status))].toSorted()).toEqual([201, 503]);
    expectInvariant('the log is valid', logViolations(snapshot.events));
    expectInvariant('the read models equal a replay', differencesFromReplay(snapshot));
    const again = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
    expect((await caller(again.url, token)('GET', `/v1/pets/${early}`)).json['status']).toBe('PENDING');
  });
});

/** Proves contract 24.1. */
(!ownDisk ? describe.skip : describe)(`a service that fills its disk${reason && ` (${reason})`}`, () => {
  it('keeps its write-ahead log small, and continues with little free space, also after kill -9', async () => {
    const folder = ownDisk?.folder ?? '';
    const dataDir = join(folder, 'data');
    const otherFiles = ['one', 'two'].map((name) => join(folder, name));
    for (const path of otherFiles) writeFileSync(path, Buffer.alloc(OTHER_FILE_BYTES));
    const listings: Listing[] = [];
    const list = async (call: Call, count: number): Promise<readonly number[]> => {
      const some = await listPets(call, `Round ${listings.length}`, count);
      listings.push(...some);
      return some.map(({ response }) => response.status);
    };
    const listUntilFull = async (call: Call): Promise<void> => {
      while ((await list(call, 25)).includes(201));
      expect(statSync(join(dataDir, 'petstore.sqlite-wal')).size).toBeLessThan(DISK_BYTES / 4);
    };
    const expectContinues = (call: Call) => eventually('a success', async () => (await list(call, 1))[0] === 201);

    const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
    const token = await tokenFor(dataDir);
    const call = caller(service.url, token);
    await listUntilFull(call);
    rmSync(otherFiles[0] ?? '');
    await expectContinues(call);
    await listUntilFull(call);
    await service.kill9();
    rmSync(otherFiles[1] ?? '');
    const again = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
    await expectContinues(caller(again.url, token));
    expect(await again.stop()).toEqual({ code: 0, signal: null });

    const acknowledged = listings.filter(({ response }) => response.status === 201);
    const listed = snapshotOf(dataDir).events.filter(({ type }) => type === 'PetListed');
    expect(listed).toHaveLength(acknowledged.length);
    expect([...new Set(listings.map(({ response }) => response.status))].toSorted()).toEqual([201, 503]);
  });
});

type Line = { readonly msg: string; readonly dropped?: number };

/** Proves contract 25.5. */
(!disk ? describe.skip : describe)(`a log on a full disk${reason && ` (${reason})`}`, () => {
  it('does not block responses or a stop, and continues when there is space', async () => {
    const path = join(disk?.folder ?? '', 'log');
    const stderr = openSync(path, 'w');
    const dataDir = newFolder();
    try {
      const service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'debug' } }, { stderr });
      const call = caller(service.url, await tokenFor(dataDir));
      disk?.fill();
      // These requests cause more log lines than fit into the buffer of the process (1 MiB).
      const headers = { 'x-request-id': 'x'.repeat(120) };
      for (let n = 0; n < 200; n++) {
        const responses = await Promise.all(Array.from({ length: 25 }, () => call('GET', '/v1/pets', { headers })));
        expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
      }
      expect((await listPets(call, 'Logged', 1))[0]?.response.status).toBe(201);

      disk?.free();
      const linesSoFar = (): readonly Line[] =>
        readFileSync(path, 'utf8')
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line) as Line);
      const { dropped = 0 } = await eventually('the number of dropped lines', () =>
        linesSoFar().find((line) => line.dropped !== undefined),
      );
      expect(dropped).toBeGreaterThan(100);

      disk?.fill();
      await listPets(call, 'Late', 20);
      expect(await service.stop()).toEqual({ code: 0, signal: null });
    } finally {
      closeSync(stderr);
      disk?.free();
    }
  });
});
