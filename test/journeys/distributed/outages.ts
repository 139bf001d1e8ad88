import { expect } from '@jest/globals';
import { eventually } from '../../eventually.js';
import { caller } from '../../servers/calling.js';
import type { Cluster } from '../../servers/cluster.js';
import { audit, type AuditReport } from './audit.js';
import type { ClusterSession } from './journey.js';
import { REQUEST_KINDS, OutageRequests, type RequestKind, type RequestResult } from './outages.requests.js';
import { readinessOf } from './readiness.js';

type ServerName = 'kafka' | 'mongod' | 'eventStore';

/**
 * The expected result of each kind of request while a server is down (contract 24.7). `unavailable` is 503 with
 * Retry-After.
 */
const RESULTS_WITHOUT: Readonly<Record<ServerName, Readonly<Record<RequestKind, 'succeeds' | 'unavailable'>>>> = {
  kafka: {
    list: 'succeeds',
    revise: 'succeeds',
    order: 'succeeds',
    read: 'succeeds',
    search: 'succeeds',
    count: 'succeeds',
    probe: 'succeeds',
  },
  mongod: {
    list: 'succeeds',
    revise: 'succeeds',
    order: 'succeeds',
    read: 'unavailable',
    search: 'unavailable',
    count: 'unavailable',
    probe: 'succeeds',
  },
  eventStore: {
    list: 'unavailable',
    revise: 'unavailable',
    order: 'unavailable',
    read: 'succeeds',
    search: 'succeeds',
    count: 'succeeds',
    probe: 'succeeds',
  },
};

type OutageReport = {
  /** Milliseconds from the restart of the server until every kind of request succeeds and all lags are 0. */
  readonly recoveredAfter: number;
  /** The longest response time in milliseconds during the outage, by kind of request. */
  readonly longestResponseTimes: Readonly<Record<string, number>>;
  /** The number of responses during the outage, by kind of request and status. */
  readonly responses: Readonly<Record<string, number>>;
  readonly audit: AuditReport;
};

/** Milliseconds within which a process must detect that a server is down. Before it does, requests may still succeed. */
const MAX_DETECTION_TIME = 3_000;
/** Milliseconds to recover after the restart of the server (contract 24.7). */
const MAX_RECOVERY_TIME = 10_000;
/**
 * The longest permitted response time in milliseconds. Later responses are useless: a proxy in front of an API times out after
 * some seconds. A write without MongoDB takes WRITE_WAIT (500 ms). The other 4.5 seconds are a margin for a busy machine.
 */
const MAX_RESPONSE_TIME = 5_000;

/** Kills and restarts a server while all kinds of requests are sent. Checks the results and audits the cluster. */
export const runOutage = async (
  { cluster, token, recorder }: ClusterSession,
  server: ServerName,
  milliseconds: number,
): Promise<OutageReport> => {
  const calls = cluster.apis.map(({ url }) => caller(url, token));
  const requests = await OutageRequests.begin(calls, recorder, `${server}-`);
  try {
    const report = await interruptServer(cluster, server, milliseconds, requests);
    await requests.stop();
    return { ...report, audit: await audit(cluster, { recorder, repeated: [], token }) };
  } finally {
    await requests.stop();
  }
};

const interruptServer = async (
  cluster: Cluster,
  server: ServerName,
  milliseconds: number,
  requests: OutageRequests,
): Promise<Omit<OutageReport, 'audit'>> => {
  await requests.waitForSuccessOfEach();
  await cluster[server].kill();
  const killedAt = performance.now();
  requests.discardResults();
  // The outage lasts a fixed time, so this waits for that time, and not for a state of the servers.
  await eventually('the end of the outage', () => performance.now() - killedAt >= milliseconds, milliseconds + 10_000);
  const readiness = await Promise.all(cluster.apis.map(({ url }) => readinessOf(url)));
  const results = requests.results();

  await cluster[server].restart();
  const restartedAt = performance.now();
  await requests.waitForSuccessOfEach(MAX_RECOVERY_TIME);
  await requests.stop();
  await eventually('no lag', () => hasNoLag(cluster), MAX_RECOVERY_TIME);
  const recoveredAfter = Math.round(performance.now() - restartedAt);

  expectDocumentedResponses(server, results);
  expect([...requests.unexpectedResponses(), ...failuresIn(cluster)]).toEqual([]);
  for (const { status, behind } of readiness) {
    expect(status).toBe(200);
    expectLag(server, behind);
  }
  expect(recoveredAfter).toBeLessThan(MAX_RECOVERY_TIME);
  return { recoveredAfter, ...summaryOf(results) };
};

/** Returns the log lines of requests that failed for a reason other than an unavailable store. */
const failuresIn = ({ apis }: Cluster): readonly string[] =>
  apis
    .flatMap((api) => api.log().split('\n'))
    .filter((line) => line.includes('"a request failed"') && !line.includes('"type":"StoreUnavailable"'));

/**
 * Expects the reported lags (contract 25.1). If Kafka is down, the relay's lag is above 0. If another server is down, all lags
 * are null.
 */
const expectLag = (server: ServerName, behind: Readonly<Record<string, number | null>>): void => {
  const { relay, ...readModels } = behind;
  if (server === 'kafka') expect([Number(relay) > 0, Object.keys(readModels).length > 0]).toEqual([true, true]);
  else expect(new Set(Object.values(behind))).toEqual(new Set([null]));
};

const expectDocumentedResponses = (server: ServerName, results: readonly RequestResult[]): void => {
  // No outage causes a 500 (contract 24.7).
  expect(results.filter(({ status, retryAfter }) => status >= 300 && !(status === 503 && retryAfter))).toEqual([]);
  for (const kind of REQUEST_KINDS) {
    const resultsOfKind = results.filter((one) => one.kind === kind);
    const mustSucceed = RESULTS_WITHOUT[server][kind] === 'succeeds';
    const wrong = resultsOfKind.filter(({ status, sent }) => (mustSucceed ? status >= 300 : status < 300 && sent > MAX_DETECTION_TIME));
    expect({ server, kind, wrong }).toEqual({ server, kind, wrong: [] });
    const late = resultsOfKind.filter((one) => one.milliseconds > MAX_RESPONSE_TIME);
    expect({ server, kind, late }).toEqual({ server, kind, late: [] });
    expect(resultsOfKind.length).toBeGreaterThan(0);
  }
};

const summaryOf = (results: readonly RequestResult[]): Pick<OutageReport, 'longestResponseTimes' | 'responses'> => {
  const longestResponseTimes: Record<string, number> = {};
  const responses: Record<string, number> = {};
  for (const { kind, status, milliseconds } of results) {
    longestResponseTimes[kind] = Math.max(longestResponseTimes[kind] ?? 0, Math.round(milliseconds));
    responses[`${kind} ${status}`] = (responses[`${kind} ${status}`] ?? 0) + 1;
  }
  return { longestResponseTimes, responses };
};

const hasNoLag = async ({ apis, workers }: Cluster): Promise<boolean> => {
  const all = await Promise.all([...apis, ...workers].map(({ url }) => readinessOf(url)));
  if (all.every(({ status, behind }) => status === 200 && Object.values(behind).every((lag) => lag === 0))) return true;
  throw new Error(JSON.stringify(all));
};
