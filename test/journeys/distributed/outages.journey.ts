import { afterAll, describe, it } from '@jest/globals';
import { whenThere } from '../../servers/services/when-there.js';
import { say } from '../print-line.js';
import { openShop, twoOfEach } from './journey.js';
import { suffer } from './outages.js';

/** Takes each server away for so many milliseconds, and gives it back. Each outage must be over `within` milliseconds. */
export const outagesJourney = async (name: string, milliseconds: number, within: number): Promise<void> =>
  whenThere(name, await twoOfEach(), (cluster) => {
    describe(name, () => {
      const opened = openShop(cluster);
      afterAll(() => cluster.close());

      it.each([
        ['Kafka', 'kafka'],
        ['MongoDB', 'mongod'],
        ['the event store', 'eventStore'],
      ] as const)(
        'does without %s what can be done, refuses the rest, and is soon back to normal',
        async (server, key) => {
          const report = await suffer(await opened, key, milliseconds);
          say(`${server} down for ${milliseconds} ms: ${JSON.stringify(report)}`);
        },
        within,
      );
    });
  });
