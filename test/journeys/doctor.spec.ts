import { afterEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';
import { newFolder } from '../servers/data-folder.js';
import { runPetstore } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { openReceiver } from '../servers/receiver.js';
import { failingProjections, POISON, REJECTS } from './failing-projections.js';
import { oneStoreAtATime } from './in-process-petstore.js';

type Checkup = {
  readonly exitCode: number;
  readonly checked: readonly string[];
  readonly findings: readonly { readonly finding: string; readonly text: string; readonly remedy: string; readonly runbook: string }[];
};

const { start, close } = oneStoreAtATime();
afterEach(endPrograms);

const PET = { name: 'Rex', species: 'DOG', ageMonths: 4 };

/** Runs `petstore doctor --json`. */
const doctor = async (dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Checkup> => {
  const { code, stdout, stderr } = await runPetstore(['doctor', '--json'], { dataDir, env });
  expect(stderr).toBe('');
  const checkup = JSON.parse(stdout) as Checkup;
  expect(checkup.exitCode).toBe(code);
  for (const { remedy, runbook } of checkup.findings)
    expect([remedy, runbook]).toEqual([expect.stringMatching(/\S/), expect.stringMatching(/^deploy\/runbook\.md#\S/)]);
  return checkup;
};

/** Returns the exit code and the names of the findings. */
const found = ({ exitCode, findings }: Checkup) => ({ exitCode, found: findings.map(({ finding }) => finding) });

const HEALTHY = { exitCode: 0, found: [] };

/** Creates a stopped store with a pet. */
const stoppedStore = async (folder = newFolder()): Promise<string> => {
  const { call } = await start(folder);
  expect((await call('POST', '/v1/pets', { body: PET })).status).toBe(201);
  await close();
  return folder;
};

/** Returns a digest of each file of a folder that has content. */
const digestsIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.sqlite'))
      .map((name) => [
        name,
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ]),
  );

/** Proves contract 43.10. */
describe('the doctor of a folder', () => {
  it('finds nothing in a healthy store, running or stopped, and changes nothing', async () => {
    const folder = newFolder();
    expect(found(await doctor(folder, { PORT: '0' }))).toEqual(HEALTHY);
    const { call, url } = await start(folder);
    expect((await call('POST', '/v1/pets', { body: PET })).status).toBe(201);
    const running = await doctor(folder);
    expect([found(running), running.checked.at(-1)]).toEqual([HEALTHY, `the service at ${url}`]);
    await close();
    const before = digestsIn(folder);
    expect(found(await doctor(folder, { PORT: '0' }))).toEqual(HEALTHY);
    expect(digestsIn(folder)).toEqual(before);
  });

  it('finds a parked stream, a dead delivery and a paused read model, while the service runs and after its stop', async () => {
    const receiver = await openReceiver();
    receiver.respondWith(() => ({ status: 410 }));
    const folder = newFolder();
    const { call } = await start(folder, { projections: failingProjections('PetDetailsRevised') });
    const events = ['pet.statusChanged'];
    const endpoint = String((await call('POST', '/v1/webhooks', { body: { url: `${receiver.url}/hook`, events } })).json['id']);
    const { json } = await call('POST', '/v1/pets', { body: PET });
    const pet = String(json['id']);
    await call('PUT', `/v1/pets/${pet}`, { body: { ...PET, name: POISON, status: 'AVAILABLE' } });
    expect((await call('POST', '/v1/ops/projections/orders/pause', { body: { reason: 'release 5.2 repairs it' } })).status).toBe(204);
    const check = async (): Promise<void> => {
      const checkup = await doctor(folder, { PORT: '0' });
      expect({ exitCode: checkup.exitCode, found: new Set(found(checkup).found) }).toEqual({
        exitCode: 7,
        found: new Set(['read-model-parked', 'delivery-dead', 'read-model-paused']),
      });
      expect(checkup.findings.map(({ text, remedy }) => [text, remedy])).toEqual(
        expect.arrayContaining([
          [
            `pets has parked 1 stream, first pet-${pet} at revision 1: ${REJECTS} in pet-${pet}`,
            `petstore parked --name pets; install a release that handles the event, then petstore retry pets pet-${pet} --trial`,
          ],
          [
            `1 delivery is given up (gone), the oldest of the endpoint ${endpoint}: the receiver answered 410`,
            'when the receiver is up: petstore retry --cause gone, and then petstore parked',
          ],
          [
            expect.stringMatching(/^the read model orders is paused since \S+ by staff: release 5\.2 repairs it$/),
            'petstore projections resume orders',
          ],
        ]),
      );
    };
    await eventually('the delivery to be given up', async () => ((await call('GET', '/v1/ops/parked')).json['count'] as number) === 2);
    await check();
    await close();
    await check();
    await receiver.close();
  });

  it('finds an invalid setting, without a store', async () => {
    expect(found(await doctor(newFolder(), { PORT: 'many', ORDER_HOLD: 'long' }))).toEqual({
      exitCode: 6,
      found: ['settings-invalid', 'settings-invalid'],
    });
  });

  it('finds a missing file with keys', async () => {
    const folder = await stoppedStore();
    const keys = join(newFolder(), 'keys.pem');
    expect(found(await doctor(folder, { PORT: '0', SIGNING_KEY_FILE: keys }))).toEqual({ exitCode: 3, found: ['keys-unusable'] });
    renameSync(join(folder, 'keys.sqlite'), join(folder, 'keys.elsewhere'));
    const checkup = await doctor(folder, { PORT: '0' });
    expect(found(checkup)).toEqual({ exitCode: 3, found: ['keys-unusable'] });
    expect(checkup.findings[0]?.text).toContain('keys.sqlite is missing');
  });

  it('finds an altered event', async () => {
    const folder = await stoppedStore();
    const database = new DatabaseSync(join(folder, 'petstore.sqlite'));
    expect(database.prepare("UPDATE events SET data = replace(data, 'Rex', 'Max') WHERE type = 'PetListed'").run().changes).toBe(1);
    database.close();
    const checkup = await doctor(folder, { PORT: '0' });
    expect(found(checkup)).toEqual({ exitCode: 3, found: ['history-altered'] });
    expect(checkup.findings[0]?.text).toMatch(/^event 0 of pet-\S+/);
  });

  it('finds that the clock is ten minutes behind the last event', async () => {
    const folder = newFolder();
    const { call } = await start(folder, { clock: manualClock(Date.now() + 600_000) });
    expect((await call('POST', '/v1/pets', { body: PET })).status).toBe(201);
    await close();
    const checkup = await doctor(folder, { PORT: '0' });
    expect(found(checkup)).toEqual({ exitCode: 4, found: ['clock-wrong'] });
  });

  it('finds a port that another program uses', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const checkup = await doctor(await stoppedStore(), { PORT: String(port) });
    expect(found(checkup)).toEqual({ exitCode: 6, found: ['port-in-use'] });
    expect(checkup.findings[0]?.text).toBe(`another program uses PORT ${port} on 127.0.0.1`);
    other.close();
  });
});
