import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import type { AuditReport } from './audit.js';
import { beginJourney, type Shop } from './journey.js';
import type { Met } from './load.js';

/** The servers that a cluster stands on, each killed in its turn. */
const SERVERS = ['mongod', 'kafka', 'eventStore'] as const;

/** Deeds between two kills, at least and at most. */
const FEWEST_DEEDS = 60;
const MORE_DEEDS = 80;

/** What the kills met. */
type ServerKillsReport = Met & { readonly audit: AuditReport };

/** Kills one server after the other under load, starts it again at once, and looks at everything in the end. */
export const killServersInTurn = async (shop: Shop, rounds: number, seed: number): Promise<ServerKillsReport> => {
  const random = createRandom(seed);
  const journey = beginJourney(shop, seed);
  for (let round = 0; round < rounds; round++) {
    for (const name of SERVERS) {
      await journey.answers(FEWEST_DEEDS + Math.floor(random() * MORE_DEEDS));
      await shop.cluster[name].kill();
      await shop.cluster[name].restart();
    }
  }
  await journey.answers(FEWEST_DEEDS);
  const met = journey.load.met();
  return { ...met, audit: await journey.end() };
};
