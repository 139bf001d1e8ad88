import { DEADLINES } from '../../deadlines.js';
import { eventually } from '../../eventually.js';
import type { Cluster } from '../../servers/cluster.js';
import type { AuditReport } from './audit.js';
import type { ConnectionCuttingProxy } from './cutting-proxy.js';
import { startJourney, type ClusterSession } from './journey.js';
import type { LoadCounts } from './load.js';

/** The probability that the proxy cuts a connection when it receives a chunk from the server. */
const CUT_PROBABILITY = 0.01;
/** The number of responses before the first cut, and again after the last cut. */
const REQUESTS = 50;

/** The result of `loseResponses`. */
type LostResponsesReport = LoadCounts & {
  readonly audit: AuditReport;
  readonly cuts: number;
  /** The number of appends that a process found in the log after their response was lost. */
  readonly recoveredAppends: number;
};

/** Cuts off responses under load until the responses to `wanted` committed appends are lost. Then audits the cluster. */
export const loseResponses = async (
  session: ClusterSession,
  proxy: ConnectionCuttingProxy,
  wanted: number,
  seed: number,
): Promise<LostResponsesReport> => {
  const before = countRecoveredAppends(session.cluster);
  const journey = startJourney(session, seed);
  await journey.waitForResponses(REQUESTS);
  proxy.setChance(CUT_PROBABILITY);
  await eventually(
    `${wanted} appends with a lost response`,
    () => countRecoveredAppends(session.cluster) >= before + wanted,
    DEADLINES.slow,
  );
  proxy.setChance(0);
  await journey.waitForResponses(REQUESTS);
  const counts = journey.load.counts();
  return { ...counts, cuts: proxy.cuts(), recoveredAppends: countRecoveredAppends(session.cluster) - before, audit: await journey.end() };
};

/** Counts the log lines of appends whose response was lost, and whose events were then found in the log (contract 24.8). */
const countRecoveredAppends = ({ apis, workers }: Cluster): number =>
  [...apis, ...workers].flatMap((member) => member.log().split('\n')).filter((line) => line.includes('"found":"appended"')).length;
