import { afterAll, describe, it } from '@jest/globals';
import { openShop, twoOfEach } from '../journeys/distributed/journey.js';
import { suffer } from '../journeys/distributed/outages.js';
import { say } from '../journeys/say.js';
import { whenThere } from '../servers/services/when-there.js';

/** "Each dependency down for 30 s" */
const MILLISECONDS = 30_000;
const NAME = 'a store one of whose servers is down for half a minute';

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
      240_000,
    );
  });
});
