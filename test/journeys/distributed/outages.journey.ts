import { afterAll, describe, it } from '@jest/globals';
import { describeIfAvailable } from '../../servers/services/describe-if-available.js';
import { printLine } from '../../print-line.js';
import { openSession, startTwoOfEach } from './journey.js';
import { runOutage } from './outages.js';

/** Stops each server for some milliseconds. Each case must end within `within` milliseconds. */
export const outagesJourney = async (name: string, milliseconds: number, within: number): Promise<void> =>
  describeIfAvailable(name, await startTwoOfEach(), (cluster) => {
    /** Proves contract 4.8, contract 24.7 and contract 24.8. */
    describe(name, () => {
      const session = openSession(cluster);
      afterAll(() => cluster.close());

      it.each([
        ['Kafka', 'kafka'],
        ['MongoDB', 'mongod'],
        ['the event store', 'eventStore'],
      ] as const)(
        'serves without %s what is possible, rejects the rest, and soon recovers',
        async (server, key) => {
          const report = await runOutage(await session, key, milliseconds);
          printLine(`${server} down for ${milliseconds} ms: ${JSON.stringify(report)}`);
        },
        within,
      );
    });
  });
