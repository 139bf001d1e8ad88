import { afterAll, describe, it } from '@jest/globals';
import { whenThere } from '../../servers/services/when-there.js';
import { say } from '../say.js';
import { openShop, twoOfEach } from './journey.js';
import { suffer } from './outages.js';

const MILLISECONDS = 5_000;
const NAME = 'a store one of whose servers is down for a while';

whenThere(NAME, await twoOfEach(), (cluster) => {
  describe(NAME, () => {
    const opened = openShop(cluster);
    afterAll(() => cluster.close());

    it.each([
      ['Kafka', 'kafka'],
      ['MongoDB', 'mongod'],
      ['the event store', 'eventStore'],
    ] as const)(
      'does without %s what can be done, refuses the rest, and is soon back to normal',
      async (name, server) => {
        const report = await suffer(await opened, server, MILLISECONDS);
        say(`${name} down for ${MILLISECONDS} ms: ${JSON.stringify(report)}`);
      },
      120_000,
    );
  });
});
