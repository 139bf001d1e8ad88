import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ProjectionState } from '../../../apps/api/ops/projections/projection.dto.js';
import { makeToken } from '../../../apps/petstore/commands/token.command.js';
import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import { parseSettings } from '../../../libs/settings/settings.js';
import { DEADLINES } from '../../deadlines.js';
import { eventually } from '../../eventually.js';
import { expectInvariant } from '../../expect-invariant.js';
import { printLine } from '../../print-line.js';
import { caller, type Call } from '../../servers/calling.js';
import { startCluster, type Cluster } from '../../servers/cluster.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { STAFF_SCOPES, startPetstore } from '../../servers/process.js';
import { endPrograms } from '../../servers/program.js';
import { FILL_ACTIONS } from '../fill-actions.js';
import { fillFolder } from '../fill-folder.js';
import { differencesFromReplay } from '../replay.js';
import { openClusterStorage } from './cluster-storage.js';
import { waitUntilCaughtUp } from './readiness.js';
import { waitUntilSettled } from './settled.js';

const EVENTS = 100_000;
const READERS = 3;
const ROUNDS = 16;
/** Milliseconds. A rebuild of this log takes longer than any of these. */
const LONG = 10 * DEADLINES.slow;
const AN_HOUR = 3_600;

/** Proves contract 43.5, contract 43.6 and contract 43.7. */
describe(`read models of ${EVENTS} events on several machines`, () => {
  let cluster: Cluster;
  let call: Call;
  let url: string;
  const workers: Awaited<ReturnType<Cluster['startWorker']>>[] = [];

  beforeAll(async () => {
    cluster = await startCluster({ apis: 0, workers: [], settings: { LOG_LEVEL: 'warn' } });
    const dataDir = newFolder();
    await fillFolder(dataDir, EVENTS);
    const { code } = await startPetstore(['copy', '--to', 'distributed'], { dataDir, env: cluster.settings }).ended;
    expect(code).toBe(0);
    for (let nth = 0; nth < 2; nth++) workers.push(await cluster.startWorker());
    const api = await cluster.startApi();
    ({ url } = api);
    const token = await makeToken(parseSettings(cluster.settings), { scope: STAFF_SCOPES, subject: 'staff', expiresIn: AN_HOUR });
    call = caller(url, token);
    await eventually('the read models to catch up', () => waitUntilCaughtUp(url).then(() => true), LONG);
  }, LONG);
  afterAll(async () => {
    await endPrograms();
    await cluster.close();
    removeFolders();
  });

  const states = async (): Promise<readonly ProjectionState[]> =>
    (await call('GET', '/v1/ops/projections')).json['data'] as readonly ProjectionState[];
  const stateOfPets = async (): Promise<ProjectionState> => (await states()).find(({ name }) => name === 'pets') as ProjectionState;
  const act = async (name: string, action: string, body: object = {}): Promise<number> =>
    (await call('POST', `/v1/ops/projections/${name}/${action}`, { body })).status;
  const expectReplay = async (): Promise<void> => {
    const { EVENTSTOREDB_URL: eventStoreUrl = '', MONGODB_URL: mongoUrl = '' } = cluster.settings;
    const storage = await openClusterStorage({ eventStoreUrl, mongoUrl });
    try {
      expectInvariant('the read models equal a replay', differencesFromReplay(await storage.snapshot(await waitUntilSettled(storage))));
    } finally {
      await storage.close();
    }
  };

  it(
    'are all rebuilt under reads, of which none fails or is empty, and equal a replay',
    async () => {
      const [first] = (await call('GET', '/v1/pets?limit=1')).json['data'] as readonly { readonly id: string }[];
      let times: number[] = [];
      const wrong: unknown[] = [];
      let isOver = false;
      const read = async (path: string, isRight: (json: Readonly<Record<string, unknown>>) => boolean): Promise<void> => {
        const begin = performance.now();
        const { status, json } = await call('GET', path);
        times.push(performance.now() - begin);
        if (status !== 200 || !isRight(json)) wrong.push([path, status, json]);
      };
      const reading = Array.from({ length: READERS }, async () => {
        while (!isOver) {
          await read(`/v1/pets/${first?.id ?? ''}`, ({ id }) => id === first?.id);
          await read('/v1/pets?limit=20', ({ data }) => (data as readonly unknown[]).length === 20);
        }
      });
      const p99 = (): string => {
        const sorted = times.toSorted((a, b) => a - b);
        times = [];
        return `${sorted.length} reads, p99 ${sorted[Math.floor(sorted.length * 0.99)]?.toFixed(1)} ms`;
      };
      await eventually('reads without a rebuild', () => times.length >= 3_000, DEADLINES.slow);
      const idle = p99();
      const names = (await states()).map(({ name }) => name);
      const begin = performance.now();
      for (const name of names) expect([name, await act(name, 'rebuild')]).toEqual([name, 204]);
      await eventually('the fills to replace the read models', async () => (await states()).every(({ keptUntil }) => keptUntil), LONG);
      const seconds = ((performance.now() - begin) / 1_000).toFixed(0);
      printLine(`all read models rebuilt in ${seconds} s: ${p99()}; before: ${idle}`);
      isOver = true;
      await Promise.all(reading);
      expect(wrong).toEqual([]);
      await expectReplay();
    },
    LONG,
  );

  it(
    'keep what was acknowledged if a worker is killed at any step of a rebuild, a switch, a drop or a pause',
    async () => {
      const random = createRandom(20_261_130);
      let pets = EVENTS;
      let isPaused: boolean | undefined = false;
      for (let round = 0; round < ROUNDS; round++) {
        const [action, body] = FILL_ACTIONS[Math.floor(random() * FILL_ACTIONS.length)] ?? FILL_ACTIONS[0];
        expect((await call('POST', '/v1/pets', { body: { name: `Rex ${round}`, species: 'CAT', ageMonths: 1 } })).status).toBe(201);
        pets++;
        const acting = act('pets', action, body);
        const worker = workers[round % workers.length];
        await new Promise((resolve) => setTimeout(resolve, random() * 1_500));
        await worker?.kill();
        await worker?.restart();
        const status = await acting;
        expect([round, action, [204, 409].includes(status)]).toEqual([round, action, true]);
        if (action === 'pause' || action === 'resume') isPaused = action === 'pause';
        expect([round, (await stateOfPets()).status === 'paused']).toEqual([round, isPaused]);
        if (isPaused) continue;
        await eventually('the read model to follow the log', async () => (await stateOfPets()).behind === 0, LONG);
        const { json } = await call('GET', '/v1/pets?limit=1');
        expect([round, action, (json['pagination'] as { readonly totalItems: number }).totalItems]).toEqual([round, action, pets]);
      }
      expect(await act('pets', 'resume')).toBe(204);
      await eventually('the fill to end', async () => (await stateOfPets()).fill?.state !== 'filling', LONG);
      await expectReplay();
    },
    LONG,
  );
});
