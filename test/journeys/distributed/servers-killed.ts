import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import type { AuditReport } from './audit.js';
import { startJourney, type ClusterSession } from './journey.js';
import type { LoadCounts } from './load.js';

/** The servers of a cluster, in the order in which they are killed. */
const SERVERS = ['mongod', 'kafka', 'eventStore'] as const;

/** Before each kill, the test waits for MIN_REQUESTS responses, and for a random number of up to EXTRA_REQUESTS more. */
const MIN_REQUESTS = 60;
const EXTRA_REQUESTS = 80;

/** The result of the kills. */
type ServerKillsReport = LoadCounts & { readonly audit: AuditReport };

/**
 * Kills one server after another under load, restarts each immediately, and audits the cluster at the end.
 */
export const killServersInTurn = async (session: ClusterSession, rounds: number, seed: number): Promise<ServerKillsReport> => {
  const random = createRandom(seed);
  const journey = startJourney(session, seed);
  for (let round = 0; round < rounds; round++) {
    for (const name of SERVERS) {
      await journey.waitForResponses(MIN_REQUESTS + Math.floor(random() * EXTRA_REQUESTS));
      await session.cluster[name].kill();
      await session.cluster[name].restart();
    }
  }
  await journey.waitForResponses(MIN_REQUESTS);
  const counts = journey.load.counts();
  return { ...counts, audit: await journey.end() };
};
