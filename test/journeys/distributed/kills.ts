import { eventually } from '../../eventually.js';
import type { Cluster, Member } from '../../servers/cluster.js';
import type { AuditReport } from './audit.js';
import { startJourney, type ClusterSession } from './journey.js';
import { killInRounds, ongoingLoad, type KillTarget } from '../kills.js';
import type { LoadCounts } from './load.js';

/** The roles that are killed in turn. The role `timers` is left out, because it has leases like `projections`. */
const TARGETS = ['api', 'relay', 'projections', 'consumers'] as const;
type Target = (typeof TARGETS)[number];
/** Before each kill, the test waits for MIN_REQUESTS responses, and for a random number of up to EXTRA_REQUESTS more. */
const MIN_REQUESTS = 40;
const EXTRA_REQUESTS = 80;
/** The number of responses between a kill and the restart of the process. */
const REQUESTS_WITHOUT = 15;

/** The result of the kills. */
type KillsReport = LoadCounts & {
  readonly audit: AuditReport;
  /** The number of requests in flight at each kill. */
  readonly inFlight: readonly number[];
};

/** Kills one process after another under load, restarts each, and audits the cluster at the end. */
export const killInTurn = async (session: ClusterSession, rounds: number, seed: number): Promise<KillsReport> => {
  const journey = startJourney(session, seed);
  let victim: Member;
  const target: KillTarget = {
    async kill() {
      await victim.kill();
      return () => victim.restart();
    },
  };
  const inFlight = await killInRounds(
    target,
    {
      async start(_, nth) {
        const role = TARGETS[(nth - 1) % TARGETS.length] ?? 'api';
        victim = await findTarget(role, session.cluster, Math.floor((nth - 1) / TARGETS.length));
        return ongoingLoad(() => journey.load.inFlight());
      },
      moment: (random) => journey.waitForResponses(MIN_REQUESTS + Math.floor(random() * EXTRA_REQUESTS)),
      // Requests succeed while the killed process is down: another API responds, and the log accepts writes.
      whileDown: () => journey.waitForResponses(REQUESTS_WITHOUT),
    },
    { rounds, seed },
  );
  const counts = journey.load.counts();
  return { ...counts, inFlight, audit: await journey.end() };
};

/** Waits for a process with the role. All APIs and all consumers work at once, so each round selects the next of them. */
const findTarget = (target: Target, { apis, workers }: Cluster, round: number): Promise<Member> =>
  eventually(`a process with the role ${target}`, async () => {
    if (target === 'api') return apis[round % apis.length];
    if (target === 'consumers') return workers[round % workers.length];
    for (const worker of workers) if ((await leasesOf(worker)).some((name) => (name === 'relay') === (target === 'relay'))) return worker;
    return null;
  });

/** The leases of a worker: `relay`, and read models by name. */
const leasesOf = async ({ url }: Member): Promise<readonly string[]> => {
  const response = await fetch(`${url}/health/ready`);
  return response.ok ? ((await response.json()) as { owns: readonly string[] }).owns : [];
};
