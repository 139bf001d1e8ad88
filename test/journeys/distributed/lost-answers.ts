import { eventually } from '../../eventually.js';
import type { Cluster } from '../../servers/cluster.js';
import type { AuditReport } from './audit.js';
import type { ConnectionCuttingProxy } from './cutting-proxy.js';
import { startJourney, type ClusterSession } from './journey.js';
import type { LoadCounts } from './load.js';

/** The probability that the proxy cuts a connection when it receives a chunk from the server. */
const CUT_PROBABILITY = 0.01;
/** Requests before the first cut, and after the last. */
const REQUESTS = 50;
const RECOVERED_WITHIN = 120_000;

/** The result of `loseAnswers`. */
type LostAnswersReport = LoadCounts & {
  readonly audit: AuditReport;
  readonly cuts: number;
  /** The number of appends that a process found in the log after their answer was lost. */
  readonly recoveredAppends: number;
};

/** Cuts off answers under load until `wanted` committed appends have lost their answers. Then audits the cluster. */
export const loseAnswers = async (
  session: ClusterSession,
  proxy: ConnectionCuttingProxy,
  wanted: number,
  seed: number,
): Promise<LostAnswersReport> => {
  const before = countRecoveredAppends(session.cluster);
  const journey = startJourney(session, seed);
  await journey.waitForAnswers(REQUESTS);
  proxy.setChance(CUT_PROBABILITY);
  await eventually(
    `${wanted} appends that lost their answer`,
    () => countRecoveredAppends(session.cluster) >= before + wanted,
    RECOVERED_WITHIN,
  );
  proxy.setChance(0);
  await journey.waitForAnswers(REQUESTS);
  const counts = journey.load.counts();
  return { ...counts, cuts: proxy.cuts(), recoveredAppends: countRecoveredAppends(session.cluster) - before, audit: await journey.end() };
};

/** Counts the log lines of appends that were found as written after a lost answer (contract 24.8). */
const countRecoveredAppends = ({ apis, workers }: Cluster): number =>
  [...apis, ...workers].flatMap((member) => member.log().split('\n')).filter((line) => line.includes('"found":"appended"')).length;
