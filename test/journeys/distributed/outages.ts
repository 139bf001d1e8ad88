import { expect } from '@jest/globals';
import { eventually } from '../../eventually.js';
import { caller } from '../../servers/calling.js';
import type { Cluster } from '../../servers/cluster.js';
import { audit, type AuditReport } from './audit.js';
import type { Shop } from './journey.js';
import { ERRANDS, Errands, type Errand, type Met } from './outages.requests.js';
import { readinessOf } from './readiness.js';

type ServerName = 'kafka' | 'mongod' | 'eventStore';

/** What each errand may meet while a server is gone: success, or 503 with Retry-After. */
const WITHOUT: Readonly<Record<ServerName, Readonly<Record<Errand, 'goes on' | 'is refused'>>>> = {
  // "Kafka down: writes and reads go on and lag is shown"
  kafka: { list: 'goes on', revise: 'goes on', order: 'goes on', read: 'goes on', search: 'goes on', count: 'goes on', probe: 'goes on' },
  // "MongoDB down: writes go on, reads 503 with Retry-After"
  mongod: {
    list: 'goes on',
    revise: 'goes on',
    order: 'goes on',
    read: 'is refused',
    search: 'is refused',
    count: 'is refused',
    probe: 'goes on',
  },
  // "event store down: reads go on, writes 503"
  eventStore: {
    list: 'is refused',
    revise: 'is refused',
    order: 'is refused',
    read: 'goes on',
    search: 'goes on',
    count: 'goes on',
    probe: 'goes on',
  },
};

type OutageReport = {
  /** Milliseconds from the server's return until every errand succeeded again and nothing was behind. */
  readonly backAfter: number;
  /** The longest that anybody waited for an answer during the outage, by errand. */
  readonly longest: Readonly<Record<string, number>>;
  /** How often each errand was answered during the outage, by status. */
  readonly answers: Readonly<Record<string, number>>;
  readonly audit: AuditReport;
};

/** Requests under way when the server goes may be answered either way; so may those of the moment in which its loss is noticed. */
const NOTICED_WITHIN = 3_000;
/** "Back to normal within 10 s of its return" */
const BACK_WITHIN = 10_000;
/** "A write while MongoDB is down": WRITE_WAIT of half a second and a little, on a machine that has other things to do. No probe waits 3 s. */
const ANSWERED_WITHIN = 2_500;
/** A gateway gives up after some seconds: a refusal has to come before that. */
const REFUSED_WITHIN = 5_000;

/** Takes a server away from under a cluster that is being asked all kinds of things, for so long, and brings it back. */
export const suffer = async ({ cluster, token, witness }: Shop, server: ServerName, milliseconds: number): Promise<OutageReport> => {
  const calls = cluster.apis.map(({ url }) => caller(url, token));
  const errands = await Errands.begin(calls, witness, `${server}-`);
  try {
    const report = await outage(cluster, server, milliseconds, errands);
    await errands.stop();
    return { ...report, audit: await audit(cluster, { witness, repeated: [], token }) };
  } finally {
    await errands.stop();
  }
};

const outage = async (
  cluster: Cluster,
  server: ServerName,
  milliseconds: number,
  errands: Errands,
): Promise<Omit<OutageReport, 'audit'>> => {
  await errands.succeedEach();
  await cluster[server].kill();
  const begun = performance.now();
  errands.mark();
  // An outage is a stretch of time and nothing else: its end is the condition that is waited for.
  await eventually('the end of the outage', () => performance.now() - begun >= milliseconds, milliseconds + 10_000);
  const shown = await Promise.all(cluster.apis.map(({ url }) => readinessOf(url)));
  const met = errands.met();

  await cluster[server].restart();
  const returned = performance.now();
  await errands.succeedEach(BACK_WITHIN);
  await errands.stop();
  await eventually('nothing to be behind', () => nothingIsBehind(cluster), BACK_WITHIN);
  const backAfter = Math.round(performance.now() - returned);

  expectAsAnnounced(server, met);
  expect([...errands.surprises(), ...failuresIn(cluster)]).toEqual([]);
  for (const { status, behind } of shown) {
    expect(status).toBe(200);
    expectLag(server, behind);
  }
  expect(backAfter).toBeLessThan(BACK_WITHIN);
  return { backAfter, ...summaryOf(met) };
};

/** What the apis' own logs say of requests that failed of anything but the outage: one line each. */
const failuresIn = ({ apis }: Cluster): readonly string[] =>
  apis
    .flatMap((api) => api.log().split('\n'))
    .filter((line) => line.includes('"a request failed"') && !line.includes('"type":"StoreUnavailable"'));

/** "lag is shown" where it can be known; where it cannot, that is shown. */
const expectLag = (server: ServerName, behind: Readonly<Record<string, number | null>>): void => {
  const { relay, ...readModels } = behind;
  if (server === 'kafka') expect([Number(relay) > 0, Object.keys(readModels).length > 0]).toEqual([true, true]);
  else expect(new Set(Object.values(behind))).toEqual(new Set([null]));
};

const expectAsAnnounced = (server: ServerName, met: readonly Met[]): void => {
  // "Never a 500."
  expect(met.filter(({ status, retryAfter }) => status >= 300 && !(status === 503 && retryAfter))).toEqual([]);
  for (const errand of ERRANDS) {
    const its = met.filter((one) => one.errand === errand);
    const goesOn = WITHOUT[server][errand] === 'goes on';
    const wrong = its.filter(({ status, sent }) => (goesOn ? status >= 300 : status < 300 && sent > NOTICED_WITHIN));
    expect({ server, errand, wrong }).toEqual({ server, errand, wrong: [] });
    const late = its.filter((one) => one.milliseconds > (goesOn ? ANSWERED_WITHIN : REFUSED_WITHIN));
    expect({ server, errand, late }).toEqual({ server, errand, late: [] });
    expect(its.length).toBeGreaterThan(0);
  }
};

const summaryOf = (met: readonly Met[]): Pick<OutageReport, 'longest' | 'answers'> => {
  const longest: Record<string, number> = {};
  const answers: Record<string, number> = {};
  for (const { errand, status, milliseconds } of met) {
    longest[errand] = Math.max(longest[errand] ?? 0, Math.round(milliseconds));
    answers[`${errand} ${status}`] = (answers[`${errand} ${status}`] ?? 0) + 1;
  }
  return { longest, answers };
};

const nothingIsBehind = async ({ apis, workers }: Cluster): Promise<boolean> => {
  const all = await Promise.all([...apis, ...workers].map(({ url }) => readinessOf(url)));
  if (all.every(({ status, behind }) => status === 200 && Object.values(behind).every((lag) => lag === 0))) return true;
  throw new Error(JSON.stringify(all));
};
