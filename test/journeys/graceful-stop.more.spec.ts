import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { holdRequest } from '../servers/held-request.js';
import { startPetstore, waitUntilReady, startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms, startProgram } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import type { Load } from './clients-load.js';
import { createSharedState, startLoad } from './shoppers.js';
import { expectLogMatchesResponses, listedNames } from './log-matches-responses.js';
import { lostChanges, RequestRecorder } from './request-recorder.js';

const SEED = 3;
/** How often a service is stopped right after its start. By chance, the signal of a single stop could arrive too late. */
const EARLY_STOPS = 5;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

const startLoadOn = ({ url }: ServiceProcess, token: string, recorder: RequestRecorder): Load =>
  startLoad({ url, token, shoppers: 8, randomOf: (shopper) => createRandom(SEED + shopper), recorder, shared: createSharedState() });

const petNamed = (name: string) => ({ name, species: 'CAT', ageMonths: 3 });

const holdRequests = (service: ServiceProcess, token: string, names: readonly string[]) =>
  Promise.all(names.map((name) => holdRequest(service.url, '/v1/pets', token, petNamed(name))));

const NAMES = ['Accepted One', 'Accepted Two', 'Accepted Three'];

/** Proves contract 26.4. */
describe('a service that receives a stop signal under load', () => {
  it('answers every accepted request, exits with 0, and loses nothing', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const token = await tokenFor(dataDir);
    const recorder = new RequestRecorder();
    const load = startLoadOn(service, token, recorder);
    await load.after(200, 'answered');
    const held = await holdRequests(service, token, NAMES);

    service.signal('SIGTERM');
    await eventually('the log line of the stop', () => /stopping/.test(service.stderr()));
    expect(await Promise.all(held.map((request) => request.finish()))).toEqual([201, 201, 201]);
    await load.finished;
    expect(await service.ended).toEqual({ code: 0, signal: null });

    expectLogMatchesResponses(dataDir, recorder);
    expect(listedNames(snapshotOf(dataDir).events)).toEqual(expect.arrayContaining(NAMES));

    const again = await startServiceProcess({ dataDir });
    expectInvariant('no acknowledged change is lost', await lostChanges(recorder, caller(again.url, token)));
    expect(await again.stop()).toEqual({ code: 0, signal: null });
  });

  it('also answers every accepted request after Ctrl-C, which signals the whole process group of npm start', async () => {
    const dataDir = newFolder();
    const env = { DATA_DIR: dataDir, PORT: '0', RATE_LIMIT: 'off' };
    const service = await waitUntilReady(startProgram('node', ['scripts/run.mjs', 'start'], { env, detached: true }));
    const token = await tokenFor(dataDir);
    const recorder = new RequestRecorder();
    const load = startLoadOn(service, token, recorder);
    await load.after(100, 'answered');
    const held = await holdRequests(service, token, NAMES);

    service.signal('SIGINT', 'group');
    await eventually('the log line of the stop', () => /stopping/.test(service.stderr()));
    expect(await Promise.all(held.map((request) => request.finish()))).toEqual([201, 201, 201]);
    await load.finished;
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expectLogMatchesResponses(dataDir, recorder);
    expect(listedNames(snapshotOf(dataDir).events)).toEqual(expect.arrayContaining(NAMES));
  });

  it('stops gracefully right after it has printed that it is open', async () => {
    for (let time = 1; time <= EARLY_STOPS; time++) {
      const service = startPetstore(['start'], { dataDir: newFolder() });
      await eventually('the line with the address', () => service.stdout().includes('open at'));
      service.signal('SIGTERM');
      expect(await service.ended).toEqual({ code: 0, signal: null });
    }
  });

  it('stops gracefully when its terminal is closed', async () => {
    const service = await startServiceProcess({ dataDir: newFolder() });
    service.signal('SIGHUP');
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });
});
