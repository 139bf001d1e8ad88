import { afterAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { startPetstore } from '../../servers/process.js';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { printLine } from '../../print-line.js';
import { startJourney, openSession, startClusterIfAvailable } from './journey.js';

const NAME = 'a rebuild of the read models under load';
const SEED = 20_260_107;
const REBUILDS = 3;
const REQUESTS_BETWEEN = 40;

describeIfAvailable(NAME, await startClusterIfAvailable(), (cluster) => {
  /** Proves contract 24.3. */
  describe(NAME, () => {
    afterAll(async () => {
      await cluster.close();
      removeFolders();
    });

    it('creates read models that equal a replay of the log', async () => {
      const journey = startJourney(await openSession(cluster), SEED);
      try {
        for (let rebuild = 0; rebuild < REBUILDS; rebuild++) {
          await journey.waitForResponses(REQUESTS_BETWEEN);
          const command = startPetstore(['projections', 'rebuild'], { dataDir: newFolder(), env: cluster.settings });
          const { code } = await command.ended;
          expect([code, command.stderr(), command.stdout()]).toEqual([
            0,
            expect.stringMatching(/^([^\n]* of the log checked[^\n]*\n)*$/),
            expect.stringContaining('The workers rebuild them'),
          ]);
        }
        await journey.waitForResponses(REQUESTS_BETWEEN);
      } finally {
        await journey.load.stop();
      }
      printLine(`read models rebuilt ${REBUILDS} times under load, seed ${SEED}: ${JSON.stringify(await journey.end())}`);
    });
  });
});
