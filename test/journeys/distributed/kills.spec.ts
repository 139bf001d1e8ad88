import { afterAll, describe, it } from '@jest/globals';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { printLine } from '../../print-line.js';
import { openSession, startClusterIfAvailable } from './journey.js';
import { killInTurn } from './kills.js';

const NAME = 'a service of two apis and two workers';
/** One kill of an api, and one of the worker that runs the relay. `npm run test:more` kills every role, many times. */
const KILLS = 2;
const SEED = 20_261_126;

describeIfAvailable(NAME, await startClusterIfAvailable(), (cluster) => {
  /** Proves contract 24.1, contract 24.2 and contract 24.8. */
  describe(NAME, () => {
    afterAll(() => cluster.close());

    it('loses nothing that was acknowledged when an api and a worker are killed under load', async () => {
      const report = await killInTurn(await openSession(cluster), KILLS, SEED);
      printLine(`kill -9 of an api and a worker, seed ${SEED}: ${JSON.stringify(report)}`);
    });
  });
});
