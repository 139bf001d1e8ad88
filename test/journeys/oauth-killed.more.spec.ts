import { afterEach, describe, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { SCENE_URL } from './accounts-scene.js';
import { startKilledService } from './kills.js';
import { killDuringExchanges, preparePeople } from './oauth-kills.js';

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 32.2. */
describe('the authorization server of a service that is killed', () => {
  it('never exchanges a code twice or a refresh token more often than permitted, and lets every person sign in again', async () => {
    const dataDir = newFolder();
    const killed = await startKilledService(dataDir, { PUBLIC_URL: SCENE_URL });
    const target = { ...killed, url: () => killed.process().url };
    const people = await preparePeople({ url: target.url(), operator: await tokenFor(dataDir) });
    await killDuringExchanges(target, people, { rounds: 6, seed: 20260105 });
  });
});
