import { expect } from '@jest/globals';
import { readLedger } from '../servers/gateway-ledger.js';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import { caller } from '../servers/calling.js';
import { startServiceProcess, tokenFor, type ServiceProcess } from '../servers/process.js';
import { snapshotOf } from '../servers/snapshot.js';
import { ledgerDifferences, missingConsequences } from './consequences.js';
import { differencesFromReplay, logViolations } from './replay.js';
import { createSharedState, sendRequest, startLoad, type SharedState } from './shoppers.js';
import { lostChanges, countRecorded, RequestRecorder } from './request-recorder.js';

type KillOptions = {
  readonly dataDir: string;
  readonly rounds: number;
  /** The same seed gives the same choices. Their timing differs. */
  readonly seed: number;
};

const SHOPPERS = 12;
/** In every fourth round some shoppers pay with a slow card. */
const SLOW_EVERY = 4;
/**
 * For each kill, `inFlight` has the number of requests in flight, and `writtenUnanswered` the number of unanswered requests
 * whose change is in the log. `acknowledged` counts all successful requests.
 */
type KillReport = {
  readonly inFlight: readonly number[];
  readonly writtenUnanswered: readonly number[];
  readonly acknowledged: number;
};

type RoundContext = { readonly dataDir: string; readonly token: string; readonly recorder: RequestRecorder; readonly shared: SharedState };

/** In each round, sends load to a service, kills it at a random moment, restarts it and checks its data. */
export const killRepeatedly = async ({ dataDir, rounds, seed }: KillOptions): Promise<KillReport> => {
  const random = createRandom(seed);
  const recorder = new RequestRecorder();
  const inFlight: number[] = [];
  const writtenUnanswered: number[] = [];
  let service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
  const token = await tokenFor(dataDir);
  const pets: string[] = [];
  const initialState = createSharedState();
  for (let round = 1; round <= rounds; round++) {
    const shared = { ...initialState, pets, slowCards: round % SLOW_EVERY === 0 };
    const seen = recorder.outcomes.length;
    inFlight.push(await loadAndKill(service, { dataDir, token, recorder, shared }, random));
    const lost = recorder.outcomes.slice(seen).filter(({ response }) => response === null);
    writtenUnanswered.push(countRecorded(lost, snapshotOf(dataDir).events));
    service = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
    await repeatUnanswered(service, { dataDir, token, recorder, shared });
    await expectRecovered(service, { dataDir, token, recorder, shared }, seen);
  }
  expectInvariant('no acknowledged change is lost', await lostChanges(recorder, caller(service.url, token)));
  expect(await service.stop()).toEqual({ code: 0, signal: null });
  return { inFlight, writtenUnanswered, acknowledged: recorder.acknowledged().length };
};

/** Returns the number of requests in flight when the process died. */
const loadAndKill = async (service: ServiceProcess, { token, recorder, shared }: RoundContext, random: () => number): Promise<number> => {
  const seeds = Array.from({ length: SHOPPERS }, () => Math.floor(random() * 2 ** 32));
  const load = startLoad({
    url: service.url,
    token,
    shoppers: SHOPPERS,
    randomOf: (shopper) => createRandom(seeds[shopper] ?? 0),
    recorder,
    shared,
  });
  // Some kills come after a sent request and some after a response, so that they interrupt different work.
  await load.after(60 + Math.floor(random() * 400), random() < 0.5 ? 'sent' : 'answered');
  for (let immediates = Math.floor(random() * 60); immediates > 0; immediates--) await new Promise((resolve) => setImmediate(resolve));
  const inFlight = load.inFlight();
  await service.kill9();
  await load.finished;
  return inFlight;
};

/** Sends each unanswered request that has an `Idempotency-Key` twice more. It has one effect in total (contract 24.8). */
const repeatUnanswered = async (service: ServiceProcess, { token, recorder }: RoundContext): Promise<void> => {
  const call = caller(service.url, token);
  for (const outcome of recorder.unanswered()) {
    if (outcome.request.idempotencyKey === undefined) continue;
    const [first, second] = [await sendRequest(call, outcome.request), await sendRequest(call, outcome.request)];
    if (first.status < 300) expect([second.status, second.text]).toEqual([201, first.text]);
    outcome.response = first;
  }
};

const expectRecovered = async (service: ServiceProcess, { dataDir, token, recorder }: RoundContext, seen: number): Promise<void> => {
  await eventually('all follow-up work to finish', () => {
    const left = missingConsequences(snapshotOf(dataDir).events);
    if (left.length > 0) throw new Error(left.join('\n'));
    return true;
  });
  const snapshot = snapshotOf(dataDir);
  expect(recorder.unexpectedResponses()).toEqual([]);
  expectInvariant('the log is valid', logViolations(snapshot.events));
  expectInvariant('the log matches the responses', recorder.contradictions(snapshot.events));
  expectInvariant('the ledger matches the log', ledgerDifferences(snapshot.events, readLedger(dataDir)));
  expectInvariant('the read models equal a replay', differencesFromReplay(snapshot));
  expectInvariant('no acknowledged change is lost', await lostChanges(recorder, caller(service.url, token), seen));
};
