import { expect } from '@jest/globals';
import { readLedger } from '../servers/gateway-ledger.js';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { caller } from '../servers/calling.js';
import { spawnStore, tokenFor, type StoreProcess } from '../servers/process.js';
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
/** The maximum number of rounds is this multiple of `rounds`. Rounds are added until a kill interrupts a write. */
export const MAX_ROUNDS_FACTOR = 5;
/** Every reservation has its order 10 s after a restart (contract 24.2). */
const RECOVERED_WITHIN = 10_000;

/** For each kill, the number of requests in flight, and of those that were recorded but not answered. */
type KillReport = {
  readonly inFlight: readonly number[];
  readonly writtenUnanswered: readonly number[];
  readonly acknowledged: number;
};

type RoundContext = { readonly dataDir: string; readonly token: string; readonly recorder: RequestRecorder; readonly shared: SharedState };

/**
 * In each round, sends load to a service, kills it at a random moment, restarts it and checks its data. Adds rounds
 * until a kill comes between a write and its response.
 */
export const killRepeatedly = async ({ dataDir, rounds, seed }: KillOptions): Promise<KillReport> => {
  const random = createRandom(seed);
  const recorder = new RequestRecorder();
  const inFlight: number[] = [];
  const writtenUnanswered: number[] = [];
  let store = await spawnStore({ dataDir, env: { LOG_LEVEL: 'warn' } });
  const token = await tokenFor(dataDir);
  const pets: string[] = [];
  const initialState = createSharedState();
  // A kill that interrupts no write proves little. Whether it interrupts one depends on the machine.
  const hasInterruptedNoWrite = (): boolean => Math.max(...writtenUnanswered) === 0;
  for (let round = 1; round <= rounds || (hasInterruptedNoWrite() && round <= MAX_ROUNDS_FACTOR * rounds); round++) {
    const shared = { ...initialState, pets, slowCards: round % SLOW_EVERY === 0 };
    const seen = recorder.outcomes.length;
    inFlight.push(await loadAndKill(store, { dataDir, token, recorder, shared }, random));
    const lost = recorder.outcomes.slice(seen).filter(({ answer }) => answer === null);
    writtenUnanswered.push(countRecorded(lost, snapshotOf(dataDir).events));
    store = await spawnStore({ dataDir, env: { LOG_LEVEL: 'warn' } });
    await repeatUnanswered(store, { dataDir, token, recorder, shared });
    await expectRecovered(store, { dataDir, token, recorder, shared }, seen);
  }
  expect(await lostChanges(recorder, caller(store.url, token))).toEqual([]);
  expect(await store.stop()).toEqual({ code: 0, signal: null });
  return { inFlight, writtenUnanswered, acknowledged: recorder.acknowledged().length };
};

/** Returns the number of requests in flight when the process died. */
const loadAndKill = async (store: StoreProcess, { token, recorder, shared }: RoundContext, random: () => number): Promise<number> => {
  const seeds = Array.from({ length: SHOPPERS }, () => Math.floor(random() * 2 ** 32));
  const load = startLoad({
    url: store.url,
    token,
    shoppers: SHOPPERS,
    randomOf: (shopper) => createRandom(seeds[shopper] ?? 0),
    recorder,
    shared,
  });
  // Some kills follow a request and some a response, because they interrupt different work.
  await load.after(60 + Math.floor(random() * 400), random() < 0.5 ? 'sent' : 'answered');
  for (let immediates = Math.floor(random() * 60); immediates > 0; immediates--) await new Promise((resolve) => setImmediate(resolve));
  const inFlight = load.inFlight();
  await store.kill9();
  await load.finished;
  return inFlight;
};

/** Repeats unanswered requests with an `Idempotency-Key` twice. Each has one effect (contract 24.8). */
const repeatUnanswered = async (store: StoreProcess, { token, recorder }: RoundContext): Promise<void> => {
  const call = caller(store.url, token);
  for (const outcome of recorder.unanswered()) {
    if (outcome.request.idempotencyKey === undefined) continue;
    const [first, second] = [await sendRequest(call, outcome.request), await sendRequest(call, outcome.request)];
    if (first.status < 300) expect([second.status, second.text]).toEqual([201, first.text]);
    outcome.answer = first;
  }
};

const expectRecovered = async (store: StoreProcess, { dataDir, token, recorder }: RoundContext, seen: number): Promise<void> => {
  await eventually(
    'all follow-up work to finish',
    () => {
      const left = missingConsequences(snapshotOf(dataDir).events);
      if (left.length > 0) throw new Error(left.join('\n'));
      return true;
    },
    RECOVERED_WITHIN,
  );
  const snapshot = snapshotOf(dataDir);
  expect(recorder.unexpectedAnswers()).toEqual([]);
  expect(logViolations(snapshot.events)).toEqual([]);
  expect(recorder.contradictions(snapshot.events)).toEqual([]);
  expect(ledgerDifferences(snapshot.events, readLedger(dataDir))).toEqual([]);
  expect(differencesFromReplay(snapshot)).toEqual([]);
  expect(await lostChanges(recorder, caller(store.url, token), seen)).toEqual([]);
};
