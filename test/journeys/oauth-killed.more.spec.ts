import { afterEach, describe, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { SCENE_URL } from './accounts-scene.js';
import { killInRounds, preparePeople, type KillableProcess } from './oauth-kills.js';

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 32.2. */
describe('the authorization server of a service that is killed', () => {
  it('never exchanges a code twice or a refresh token more often than permitted, and lets every person sign in again', async () => {
    const environment = { dataDir: newFolder(), env: { LOG_LEVEL: 'warn', PUBLIC_URL: SCENE_URL } };
    const start = async (): Promise<KillableProcess> => {
      const service = await startServiceProcess(environment);
      return { url: service.url, kill: () => service.kill9() };
    };
    const first = await start();
    const people = await preparePeople({ url: first.url, operator: await tokenFor(environment.dataDir) });
    await first.kill();
    await killInRounds(start, people, { rounds: 6, seed: 20260105 });
  });
});
