import { afterAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { petstore } from '../../servers/process.js';
import { whenThere } from '../../servers/services/when-there.js';
import { say } from '../print-line.js';
import { beginJourney, openShop, twoOfEach } from './journey.js';

const NAME = 'read models that are made anew while two apis and two workers are at work on them';
const SEED = 20_260_107;
const REBUILDS = 3;
const DEEDS_BETWEEN = 40;

whenThere(NAME, await twoOfEach(), (cluster) => {
  describe(NAME, () => {
    afterAll(async () => {
      await cluster.close();
      removeFolders();
    });

    it('are what a replay makes of the log in the end', async () => {
      const journey = beginJourney(await openShop(cluster), SEED);
      try {
        for (let rebuild = 0; rebuild < REBUILDS; rebuild++) {
          await journey.answers(DEEDS_BETWEEN);
          const { code, stdout, stderr } = await petstore(['projections', 'rebuild'], { dataDir: newFolder(), env: cluster.settings });
          expect([code, stderr, stdout]).toEqual([
            0,
            expect.stringMatching(/^([^\n]* of the log checked[^\n]*\n)*$/),
            expect.stringContaining('The workers rebuild them'),
          ]);
        }
        await journey.answers(DEEDS_BETWEEN);
      } finally {
        await journey.load.stop();
      }
      say(`read models made anew ${REBUILDS} times under load, seed ${SEED}: ${JSON.stringify(await journey.end())}`);
    }, 150_000);
  });
});
