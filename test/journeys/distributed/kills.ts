import { createRandom } from '../../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../../eventually.js';
import type { Cluster, Member } from '../../servers/cluster.js';
import type { AuditReport } from './audit.js';
import { startJourney, type ClusterSession } from './journey.js';
import type { LoadCounts } from './load.js';

/** The roles that are killed in turn. Timers are not among them, because they have leases like projections. */
const TARGETS = ['api', 'relay', 'projections', 'consumers'] as const;
type Target = (typeof TARGETS)[number];

/** Milliseconds. A standby replaces a killed owner when it finds that the lease of 5 s has expired. */
const OWNED_WITHIN = 20_000;
/** There are at least MIN_REQUESTS between two kills, and a random number of up to EXTRA_REQUESTS more. */
const MIN_REQUESTS = 40;
const EXTRA_REQUESTS = 80;
/** Requests while the killed process is missing. */
const REQUESTS_WITHOUT = 15;

/** The result of the kills. */
type KillsReport = LoadCounts & {
  readonly audit: AuditReport;
  /** The requests in flight at each kill. */
  readonly inFlight: readonly number[];
};

/** Kills one process after another under load, restarts each, and audits the cluster at the end. */
export const killInTurn = async (session: ClusterSession, rounds: number, seed: number): Promise<KillsReport> => {
  const random = createRandom(seed);
  const journey = startJourney(session, seed);
  const inFlight: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const target = TARGETS[round % TARGETS.length] ?? 'api';
    const victim = await findTarget(target, session.cluster, Math.floor(round / TARGETS.length));
    await journey.waitForAnswers(MIN_REQUESTS + Math.floor(random() * EXTRA_REQUESTS));
    inFlight.push(journey.load.inFlight());
    await victim.kill();
    // No request waits for the killed process: the other API answers, and writes are accepted.
    await journey.waitForAnswers(REQUESTS_WITHOUT);
    await victim.restart();
  }
  const counts = journey.load.counts();
  return { ...counts, inFlight, audit: await journey.end() };
};

/** Waits for a process with the role. APIs and consumers all work at once, so the rounds kill each of them in turn. */
const findTarget = (target: Target, { apis, workers }: Cluster, round: number): Promise<Member> =>
  eventually(
    `a process with the role ${target}`,
    async () => {
      if (target === 'api') return apis[round % apis.length];
      if (target === 'consumers') return workers[round % workers.length];
      for (const worker of workers) if ((await leasesOf(worker)).some((name) => (name === 'relay') === (target === 'relay'))) return worker;
      return null;
    },
    OWNED_WITHIN,
  );

/** The leases of a worker: `relay`, and read models by name. */
const leasesOf = async ({ url }: Member): Promise<readonly string[]> => {
  const answer = await fetch(`${url}/health/ready`);
  return answer.ok ? ((await answer.json()) as { owns: readonly string[] }).owns : [];
};
