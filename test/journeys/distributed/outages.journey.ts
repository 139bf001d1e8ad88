import { afterAll, describe, it } from '@jest/globals';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { printLine } from '../../print-line.js';
import { openSession, startClusterIfAvailable } from './journey.js';
import { runOutage } from './outages.js';

/** Tests one outage for each server. It lasts `milliseconds`. */
export const outagesJourney = async (name: string, milliseconds: number): Promise<void> =>
  describeIfAvailable(name, await startClusterIfAvailable(), (cluster) => {
    /** Proves contract 4.8, contract 24.7 and contract 24.8. */
    describe(name, () => {
      const session = openSession(cluster);
      afterAll(() => cluster.close());

      it.each([
        ['Kafka', 'kafka'],
        ['MongoDB', 'mongod'],
        ['the event store', 'eventStore'],
      ] as const)('without %s serves the documented requests, answers others with 503, and recovers within 10 s', async (server, key) => {
        const report = await runOutage(await session, key, milliseconds);
        printLine(`${server} down for ${milliseconds} ms: ${JSON.stringify(report)}`);
      });
    });
  });
