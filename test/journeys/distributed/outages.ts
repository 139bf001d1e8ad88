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
  readonly backAfter: number;
  /** The longest response time in milliseconds during the outage, by kind of request. */
  readonly longest: Readonly<Record<string, number>>;
  /** The number of responses during the outage, by kind of request and status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly audit: AuditReport;
};

/** Milliseconds until a process must have detected that a server is down. Until then requests may fail. */
const DETECTED_WITHIN = 3_000;
/** The time to recover after the server's return (contract 24.7). */
const BACK_WITHIN = 10_000;
/**
 * A write without MongoDB takes WRITE_WAIT (500 ms) and some time on a busy machine. A probe times out after 3 s.
 */
const ANSWERED_WITHIN = 2_500;
/** A proxy in front of the API times out after some seconds: a 503 must be faster. */
const REJECTED_WITHIN = 5_000;

/** Sends all kinds of requests to a cluster while it kills and restarts a server. Then audits the cluster. */
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
  const begun = performance.now();
  requests.discardResults();
  // An outage has a fixed duration. Its end is the only condition.
  await eventually('the end of the outage', () => performance.now() - begun >= milliseconds, milliseconds + 10_000);
  const readiness = await Promise.all(cluster.apis.map(({ url }) => readinessOf(url)));
  const results = requests.results();

  await cluster[server].restart();
  const returned = performance.now();
  await requests.waitForSuccessOfEach(BACK_WITHIN);
  await requests.stop();
  await eventually('no lag', () => hasNoLag(cluster), BACK_WITHIN);
  const backAfter = Math.round(performance.now() - returned);

  expectDocumentedAnswers(server, results);
  expect([...requests.unexpectedAnswers(), ...failuresIn(cluster)]).toEqual([]);
  for (const { status, behind } of readiness) {
    expect(status).toBe(200);
    expectLag(server, behind);
  }
  expect(backAfter).toBeLessThan(BACK_WITHIN);
  return { backAfter, ...summaryOf(results) };
};

/** Returns the log lines of requests that failed for another reason than the outage. */
const failuresIn = ({ apis }: Cluster): readonly string[] =>
  apis
    .flatMap((api) => api.log().split('\n'))
    .filter((line) => line.includes('"a request failed"') && !line.includes('"type":"StoreUnavailable"'));

/** Expects that readiness shows each lag, or null if the lag is unknown (contract 25.1). */
const expectLag = (server: ServerName, behind: Readonly<Record<string, number | null>>): void => {
  const { relay, ...readModels } = behind;
  if (server === 'kafka') expect([Number(relay) > 0, Object.keys(readModels).length > 0]).toEqual([true, true]);
  else expect(new Set(Object.values(behind))).toEqual(new Set([null]));
};

const expectDocumentedAnswers = (server: ServerName, results: readonly RequestResult[]): void => {
  // No outage causes a 500 (contract 24.7).
  expect(results.filter(({ status, retryAfter }) => status >= 300 && !(status === 503 && retryAfter))).toEqual([]);
  for (const kind of REQUEST_KINDS) {
    const resultsOfKind = results.filter((one) => one.kind === kind);
    const mustSucceed = RESULTS_WITHOUT[server][kind] === 'succeeds';
    const wrong = resultsOfKind.filter(({ status, sent }) => (mustSucceed ? status >= 300 : status < 300 && sent > DETECTED_WITHIN));
    expect({ server, kind, wrong }).toEqual({ server, kind, wrong: [] });
    const late = resultsOfKind.filter((one) => one.milliseconds > (mustSucceed ? ANSWERED_WITHIN : REJECTED_WITHIN));
    expect({ server, kind, late }).toEqual({ server, kind, late: [] });
    expect(resultsOfKind.length).toBeGreaterThan(0);
  }
};

const summaryOf = (results: readonly RequestResult[]): Pick<OutageReport, 'longest' | 'answers'> => {
  const longest: Record<string, number> = {};
  const answers: Record<string, number> = {};
  for (const { kind, status, milliseconds } of results) {
    longest[kind] = Math.max(longest[kind] ?? 0, Math.round(milliseconds));
    answers[`${kind} ${status}`] = (answers[`${kind} ${status}`] ?? 0) + 1;
  }
  return { longest, answers };
};

const hasNoLag = async ({ apis, workers }: Cluster): Promise<boolean> => {
  const all = await Promise.all([...apis, ...workers].map(({ url }) => readinessOf(url)));
  if (all.every(({ status, behind }) => status === 200 && Object.values(behind).every((lag) => lag === 0))) return true;
  throw new Error(JSON.stringify(all));
};
