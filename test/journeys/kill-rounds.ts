import { expect } from '@jest/globals';
import { readLedger } from '../servers/gateway-ledger.js';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { caller } from '../servers/calling.js';
import { spawnStore, tokenFor, type StoreProcess } from '../servers/process.js';
import { snapshotOf } from '../servers/snapshot.js';
import { ledgerFaults, unfinished } from './consequences.js';
import { differencesFromReplay, faultsIn } from './replay.js';
import { openMarket, perform, startLoad, type Market } from './shoppers.js';
import { brokenPromises, countDone, Witness } from './request-recorder.js';

type KillOptions = {
  readonly dataDir: string;
  readonly rounds: number;
  /** The same seed makes the same choices; what the machine's timing makes of them differs. */
  readonly seed: number;
};

const SHOPPERS = 12;
/** In every so-manieth round some pay with the card that takes its time. */
const SLOW_EVERY = 4;
/** So many times the rounds at the most, until one kill meets a request that is written and not yet answered. */
export const MOST_FOR_ONE = 5;
/** "no reservation without its order 10 s after the restart" */
const HEALED_WITHIN = 10_000;

/** What the kills met: how many requests were under way at each, and how many of those had been written and not yet answered. */
type KillReport = {
  readonly inFlight: readonly number[];
  readonly writtenUnanswered: readonly number[];
  readonly acknowledged: number;
};

type World = { readonly dataDir: string; readonly token: string; readonly witness: Witness; readonly market: Market };

/**
 * Loads a store, kills it at a random moment, starts it again and looks whether it kept its word; so
 * many times on one folder, and more where no kill has met what was written and not yet answered.
 */
export const killRepeatedly = async ({ dataDir, rounds, seed }: KillOptions): Promise<KillReport> => {
  const random = createRandom(seed);
  const witness = new Witness();
  const inFlight: number[] = [];
  const writtenUnanswered: number[] = [];
  let store = await spawnStore({ dataDir, env: { LOG_LEVEL: 'warn' } });
  const token = await tokenFor(dataDir);
  const pets: string[] = [];
  const numbers = openMarket();
  // A kill that lands between two writes proves little, and which one does not is up to the machine: a few more are made then.
  const metNobody = (): boolean => Math.max(...writtenUnanswered) === 0;
  for (let round = 1; round <= rounds || (metNobody() && round <= MOST_FOR_ONE * rounds); round++) {
    const market = { ...numbers, pets, slowCards: round % SLOW_EVERY === 0 };
    const seen = witness.outcomes.length;
    inFlight.push(await loadAndKill(store, { dataDir, token, witness, market }, random));
    const lost = witness.outcomes.slice(seen).filter(({ answer }) => answer === null);
    writtenUnanswered.push(countDone(lost, snapshotOf(dataDir).events));
    store = await spawnStore({ dataDir, env: { LOG_LEVEL: 'warn' } });
    await askAgain(store, { dataDir, token, witness, market });
    await expectHealed(store, { dataDir, token, witness, market }, seen);
  }
  expect(await brokenPromises(witness, caller(store.url, token))).toEqual([]);
  expect(await store.stop()).toEqual({ code: 0, signal: null });
  return { inFlight, writtenUnanswered, acknowledged: witness.acknowledged().length };
};

/** Answers how many requests were under way when the process died. */
const loadAndKill = async (store: StoreProcess, { token, witness, market }: World, random: () => number): Promise<number> => {
  const seeds = Array.from({ length: SHOPPERS }, () => Math.floor(random() * 2 ** 32));
  const load = startLoad({
    url: store.url,
    token,
    shoppers: SHOPPERS,
    randomOf: (shopper) => createRandom(seeds[shopper] ?? 0),
    witness,
    market,
  });
  // Right after a request went out, or right after an answer came in: each finds the process at something else.
  await load.after(60 + Math.floor(random() * 400), random() < 0.5 ? 'sent' : 'answered');
  for (let turns = Math.floor(random() * 60); turns > 0; turns--) await new Promise((resolve) => setImmediate(resolve));
  const underWay = load.inFlight();
  await store.kill9();
  await load.over;
  return underWay;
};

/** "An unacknowledged request with an Idempotency-Key" is repeated, twice, and gives one effect. */
const askAgain = async (store: StoreProcess, { token, witness }: World): Promise<void> => {
  const call = caller(store.url, token);
  for (const outcome of witness.unanswered()) {
    if (outcome.deed.idempotencyKey === undefined) continue;
    const [first, second] = [await perform(call, outcome.deed), await perform(call, outcome.deed)];
    if (first.status < 300) expect([second.status, second.text]).toEqual([201, first.text]);
    outcome.answer = first;
  }
};

const expectHealed = async (store: StoreProcess, { dataDir, token, witness }: World, seen: number): Promise<void> => {
  await eventually(
    'everything that was begun to end',
    () => {
      const left = unfinished(snapshotOf(dataDir).events);
      if (left.length > 0) throw new Error(left.join('\n'));
      return true;
    },
    HEALED_WITHIN,
  );
  const snapshot = snapshotOf(dataDir);
  expect(witness.surprises()).toEqual([]);
  expect(faultsIn(snapshot.events)).toEqual([]);
  expect(witness.contradictions(snapshot.events)).toEqual([]);
  expect(ledgerFaults(snapshot.events, readLedger(dataDir))).toEqual([]);
  expect(differencesFromReplay(snapshot)).toEqual([]);
  expect(await brokenPromises(witness, caller(store.url, token), seen)).toEqual([]);
};
