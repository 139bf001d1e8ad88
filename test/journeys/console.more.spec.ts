import type { DatabaseSync } from 'node:sqlite';
import { afterAll, expect } from '@jest/globals';
import { startBrowser } from '../servers/browser.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { alter, appending } from '../http/altered-histories.js';
import { caller } from '../servers/calling.js';
import { runPetstore, startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { alterPriceIn, CONSOLE_ENV as env, CONSOLE_PET, defineConsoleTests } from './console-scenes.js';
import { brokenPhotos } from './poisoned-events.js';

/** Lists a pet in a new store, and appends an event that its read model cannot apply. Returns the stream, which the next start parks. */
const parkedIn = async (dataDir: string): Promise<string> => {
  const service = await startServiceProcess({ dataDir, env });
  const { json } = await caller(service.url, await tokenFor(dataDir))('POST', '/v1/pets', { body: CONSOLE_PET });
  await service.stop();
  const stream = `pet-${String(json['id'])}`;
  const apply = async (database: DatabaseSync): Promise<void> => {
    const end = database.prepare('SELECT max(position) AS position FROM events').get()?.['position'] ?? 0;
    await appending(brokenPhotos)(database, stream);
    // A read model that has followed each append would not look at what another process has appended.
    database.prepare("UPDATE checkpoints SET following = 0, position = ? WHERE name LIKE 'pets_v%'").run(end);
  };
  await alter(dataDir, stream, { name: 'photos that are no list', kind: 'altered', apply });
  return stream;
};

/** Proves contract 43.11, contract 43.12 and contract 43.13. */
describeIfAvailable('the console of a service on one folder, in Chromium', await startBrowser(), (browser) => {
  afterAll(async () => {
    await browser.close();
    await endPrograms();
    removeFolders();
  });

  defineConsoleTests(browser, async () => {
    const dataDir = newFolder();
    const stream = await parkedIn(dataDir);
    const { url } = await startServiceProcess({ dataDir, env });
    return {
      url,
      async petstore(...args) {
        const { code, stdout, stderr } = await runPetstore(args, { dataDir, env });
        expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
        return stdout;
      },
      alterPrice: (altered) => alterPriceIn(dataDir, altered),
      parkedStream: () => Promise.resolve(stream),
    };
  });
});
