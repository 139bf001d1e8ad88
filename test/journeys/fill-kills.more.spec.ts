import { afterEach, describe, expect, it } from '@jest/globals';
import type { ProjectionState } from '../../apps/api/ops/projections/projection.dto.js';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';
import { FILL_ACTIONS } from './fill-actions.js';
import { fillFolder } from './fill-folder.js';
import { differencesFromReplay } from './replay.js';

const PETS = 3_000;
const ROUNDS = 30;
/** The longest time in milliseconds from an action to the kill. A fill of the pets takes about as long. */
const LONGEST = 1_500;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 43.5, contract 43.6 and contract 43.7. */
describe('a kill at any step of a rebuild, a switch, a drop or a pause', () => {
  it('loses nothing that was acknowledged, and leaves read models that equal a replay', async () => {
    const random = createRandom(20_261_130);
    const dataDir = newFolder();
    await fillFolder(dataDir, PETS);
    const token = await tokenFor(dataDir);
    let service: ServiceProcess = await startServiceProcess({ dataDir });
    let call: Call = caller(service.url, token);
    let pets = PETS;
    /** What is known of the pause. Undefined after an action whose answer was lost. */
    let isPaused: boolean | undefined = false;
    const state = async (): Promise<ProjectionState> => {
      const states = (await call('GET', '/v1/ops/projections')).json['data'] as readonly ProjectionState[];
      return states.find(({ name }) => name === 'pets') as ProjectionState;
    };
    const act = async (action: string, body: object): Promise<number> =>
      (await call('POST', `/v1/ops/projections/pets/${action}`, { body })).status;

    for (let round = 0; round < ROUNDS; round++) {
      const [action, body] = FILL_ACTIONS[Math.floor(random() * FILL_ACTIONS.length)] ?? FILL_ACTIONS[0];
      const listing = call('POST', '/v1/pets', { body: { name: `Rex ${round}`, species: 'CAT', ageMonths: 1 } });
      expect((await listing).status).toBe(201);
      pets++;
      const acting = act(action, body).catch(() => 0);
      await new Promise((resolve) => setTimeout(resolve, random() * LONGEST));
      await service.kill9();
      const status = await acting;
      if (action === 'pause' || action === 'resume') isPaused = status === 204 ? action === 'pause' : undefined;
      service = await startServiceProcess({ dataDir });
      call = caller(service.url, token);
      const { status: found } = await state();
      if (isPaused !== undefined) expect([round, action, found === 'paused']).toEqual([round, action, isPaused]);
      isPaused = found === 'paused';
      if (isPaused) continue;
      await eventually('the read model to follow the log', async () => (await state()).behind === 0);
      const { json } = await call('GET', '/v1/pets?limit=1');
      expect([round, (json['pagination'] as { readonly totalItems: number }).totalItems]).toEqual([round, pets]);
    }
    expect(await act('resume', {})).toBe(204);
    await eventually('the fill to end', async () => (await state()).fill?.state !== 'filling');
    await act('drop', { reason: 'to see it' });
    await act('drop', { reason: 'to see it' });
    await eventually('the read model to follow the log', async () => (await state()).behind === 0);
    expect((await state()).fill).toBeUndefined();
    await service.stop();
    expectInvariant('the read models equal a replay', differencesFromReplay(snapshotOf(dataDir)));
  });
});
