import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { SCENE_URL } from './accounts-scene.js';
import { killDuringExchanges, preparePeople, type KillableProcess, type KillRound } from './oauth-kills.js';

const ROUNDS = 6;
const PEOPLE = 8;
const SEED = 20260105;

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 32.2. */
describe('the authorization server of a service that is killed', () => {
  it('never exchanges a code or a refresh token twice, and lets every person sign in again', async () => {
    const environment = { dataDir: newFolder(), env: { LOG_LEVEL: 'warn', PUBLIC_URL: SCENE_URL } };
    const start = async (): Promise<KillableProcess> => {
      const service = await startServiceProcess(environment);
      return { url: service.url, kill: () => service.kill9() };
    };
    const first = await start();
    const people = await preparePeople({ url: first.url, operator: await tokenFor(environment.dataDir) }, PEOPLE);
    await first.kill();
    const random = createRandom(SEED);
    const rounds: KillRound[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push(await killDuringExchanges(start, { ...people, answers: 1 + Math.floor(random() * PEOPLE) }));
    process.stderr.write(`${JSON.stringify(rounds)}\n`);
    expect(rounds.reduce((sum, { lost }) => sum + lost, 0)).toBeGreaterThan(ROUNDS);
  });
});
