import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { startBrowser } from '../../servers/browser.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { runPetstore } from '../../servers/process.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { alterPriceIn, CONSOLE_ENV, defineConsoleTests } from '../console-scenes.js';
import { startClusterIfAvailable } from './journey.js';

const folder = newFolder();
const browser = await startBrowser();
const found = 'missing' in browser ? browser : await startClusterIfAvailable({ folder, settings: CONSOLE_ENV });

/** Proves contract 43.11, contract 43.12 and contract 43.13. */
describeIfAvailable('the console of several machines, in Chromium', found, (cluster) => {
  if ('missing' in browser) return;
  afterAll(async () => {
    await browser.close();
    await cluster.close();
    removeFolders();
  });

  const { settings, apis } = cluster;
  defineConsoleTests(browser, async () => ({
    url: apis[0]?.url ?? '',
    async petstore(...args) {
      const { code, stdout, stderr } = await runPetstore(args, { dataDir: newFolder(), env: { ...settings, LOG_LEVEL: 'silent' } });
      expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
      return stdout;
    },
    alterPrice: (stream) => alterPriceIn(join(folder, 'event-store', 'data'), stream),
  }));
});
