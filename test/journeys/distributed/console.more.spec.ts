import { join } from 'node:path';
import { afterAll, expect } from '@jest/globals';
import { startBrowser } from '../../servers/browser.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { runPetstore } from '../../servers/process.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { alterPriceIn, CONSOLE_ENV, CONSOLE_PET, defineConsoleTests } from '../console-scenes.js';
import { openEventStore } from '../../../libs/adapters/eventstoredb/index.js';
import { systemClock } from '../../../libs/adapters/system/index.js';
import { STREAM_PREFIXES } from '../../../libs/domain/events.js';
import { eventually } from '../../eventually.js';
import { caller } from '../../servers/calling.js';
import { silentLog } from '../../silent-log.js';
import { brokenPhotos } from '../poisoned-events.js';
import { openSession, startClusterIfAvailable } from './journey.js';

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
    async parkedStream() {
      const { token } = await openSession(cluster);
      const call = caller(apis[0]?.url ?? '', token);
      const stream = `pet-${String((await call('POST', '/v1/pets', { body: CONSOLE_PET })).json['id'])}`;
      const store = await openEventStore({
        url: settings['EVENTSTOREDB_URL'] ?? '',
        clock: systemClock,
        log: silentLog,
        streams: STREAM_PREFIXES,
      });
      const [last] = await store.readStream(stream);
      if (!last) throw new Error('the pet has no event');
      await store.append(stream, 0, await brokenPhotos(last));
      await store.close();
      await eventually('the parked stream', async () => (await call('GET', '/v1/ops/parked')).text.includes(stream));
      return stream;
    },
    alterPrice: (stream) => alterPriceIn(join(folder, 'event-store', 'data'), stream),
  }));
});
