import { expect } from '@jest/globals';
import { readLedger } from '../servers/gateway-ledger.js';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { expectInvariant } from '../expect-invariant.js';
import type { Call } from '../servers/calling.js';
import { tokenFor } from '../servers/process.js';
import { snapshotOf } from '../servers/snapshot.js';
import type { Load } from './clients-load.js';
import { ledgerDifferences, missingConsequences } from './consequences.js';
import { callerOf, killInRounds, startKilledService, waitTurns } from './kills.js';
import { differencesFromReplay, logViolations } from './replay.js';
import { createSharedState, sendRequest, startLoad } from './shoppers.js';
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

/** In each round, sends load to a service, kills it at a random moment, restarts it and checks its data. */
export const killRepeatedly = async ({ dataDir, rounds, seed }: KillOptions): Promise<KillReport> => {
  const recorder = new RequestRecorder();
  const writtenUnanswered: number[] = [];
  const killed = await startKilledService(dataDir);
  const token = await tokenFor(dataDir);
  const call = callerOf(killed, token);
  const pets: string[] = [];
  const initialState = createSharedState();
  let seen = 0;
  let load: Load;
  const inFlight = await killInRounds(
    killed,
    {
      async start(random, round) {
        seen = recorder.outcomes.length;
        const seeds = Array.from({ length: SHOPPERS }, () => Math.floor(random() * 2 ** 32));
        const randomOf = (shopper: number) => createRandom(seeds[shopper] ?? 0);
        const shared = { ...initialState, pets, slowCards: round % SLOW_EVERY === 0 };
        load = startLoad({ url: killed.process().url, token, shoppers: SHOPPERS, randomOf, recorder, shared });
        return load;
      },
      // Some kills come after a sent request and some after a response, so that they interrupt different work.
      async moment(random) {
        await load.after(60 + Math.floor(random() * 400), random() < 0.5 ? 'sent' : 'answered');
        await waitTurns(random);
      },
      whileDown() {
        const lost = recorder.outcomes.slice(seen).filter(({ response }) => response === null);
        writtenUnanswered.push(countRecorded(lost, snapshotOf(dataDir).events));
      },
      async check() {
        await repeatUnanswered(call, recorder);
        await expectRecovered(call, dataDir, recorder, seen);
      },
    },
    { rounds, seed },
  );
  expectInvariant('no acknowledged change is lost', await lostChanges(recorder, call));
  expect(await killed.process().stop()).toEqual({ code: 0, signal: null });
  return { inFlight, writtenUnanswered, acknowledged: recorder.acknowledged().length };
};

/** Sends each unanswered request that has an `Idempotency-Key` twice more. It has one effect in total (contract 24.8). */
const repeatUnanswered = async (call: Call, recorder: RequestRecorder): Promise<void> => {
  for (const outcome of recorder.unanswered()) {
    if (outcome.request.idempotencyKey === undefined) continue;
    const [first, second] = [await sendRequest(call, outcome.request), await sendRequest(call, outcome.request)];
    if (first.status < 300) expect([second.status, second.text]).toEqual([201, first.text]);
    outcome.response = first;
  }
};

const expectRecovered = async (call: Call, dataDir: string, recorder: RequestRecorder, seen: number): Promise<void> => {
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
  expectInvariant('no acknowledged change is lost', await lostChanges(recorder, call, seen));
};
