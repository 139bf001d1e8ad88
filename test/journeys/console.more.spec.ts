import { afterAll, expect } from '@jest/globals';
import { startBrowser } from '../servers/browser.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, startServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { alterPriceIn, CONSOLE_ENV as env, defineConsoleTests } from './console-scenes.js';

/** Proves contract 43.11, contract 43.12 and contract 43.13. */
describeIfAvailable('the console of a service on one folder, in Chromium', await startBrowser(), (browser) => {
  afterAll(async () => {
    await browser.close();
    await endPrograms();
    removeFolders();
  });

  defineConsoleTests(browser, async () => {
    const dataDir = newFolder();
    const { url } = await startServiceProcess({ dataDir, env });
    return {
      url,
      async petstore(...args) {
        const { code, stdout, stderr } = await runPetstore(args, { dataDir, env });
        expect([args, code, stderr]).toEqual([args, 0, expect.any(String)]);
        return stdout;
      },
      alterPrice: (stream) => alterPriceIn(dataDir, stream),
    };
  });
});
