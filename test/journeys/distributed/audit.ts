import { expect } from '@jest/globals';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { projections } from '../../../libs/projections/projections.js';
import { eventually } from '../../eventually.js';
import { caller, type Call } from '../../servers/calling.js';
import type { Cluster } from '../../servers/cluster.js';
import { ledgerFaults, unfinished } from '../consequences.js';
import { differencesFromReplay, faultsIn, replayed } from '../replay.js';
import { perform } from '../shoppers.js';
import { brokenPromises, countDone, type Outcome, type Witness } from '../request-recorder.js';
import { openKept, type Kept } from './cluster-storage.js';
import { faultsInTold, readTold, toBeTold } from './topic-messages.js';

/** What was asked of a cluster, and how to ask it more. */
export type Asked = {
  readonly witness: Witness;
  /** Deeds that were asked for again with their key. */
  readonly repeated: readonly Outcome[];
  readonly token: string;
};

/** What an audit counted, for the terminal. */
export type AuditReport = {
  readonly events: number;
  readonly charges: number;
  readonly told: number;
  /** Messages that came more than once. */
  readonly toldAgain: number;
  readonly acknowledged: number;
  /** Deeds whose caller was never told what became of them, and that were done. */
  readonly doneUntold: number;
  /** Milliseconds until everything had come to its end, once nobody asked for anything more. */
  readonly settledAfter: number;
};

/** A member that was killed is missed after seconds, what it had in hand is tried again after some more. */
const SETTLES_WITHIN = 30_000;
/** More faults than these tell nothing new. */
const AS_MANY_AS_ARE_READ = 10;

const some = (faults: readonly string[]): readonly string[] => faults.slice(0, AS_MANY_AS_ARE_READ);

/**
 * Looks at everything once nobody asks for anything more: "nothing acknowledged lost, nothing charged twice, per-key order
 * kept, read models equal to a replay, every consumer-visible sequence without gaps".
 */
export const audit = async (cluster: Cluster, asked: Asked): Promise<AuditReport> => {
  const calls = cluster.apis.map(({ url }) => caller(url, asked.token));
  const kept = await openKept({ eventStoreUrl: cluster.eventStore.url, mongoUrl: cluster.mongod.url });
  try {
    await askAgain(calls, asked);
    const begun = performance.now();
    const untold = asked.witness.unanswered();
    const events = await settledEvents(kept);
    const settledAfter = Math.round(performance.now() - begun);
    const charges = await expectLogAndMoney(events, kept, asked.witness);
    await expectReadModels(events, kept, calls);
    for (const call of calls) expect(some(await brokenPromises(asked.witness, call))).toEqual([]);
    const told = await expectTold(events, cluster.kafka.brokers);
    return {
      events: events.length,
      charges,
      ...told,
      acknowledged: asked.witness.acknowledged().length,
      doneUntold: countDone(untold.filter(isTheOnly(asked.witness)), events),
      settledAfter,
    };
  } finally {
    await kept.close();
  }
};

/**
 * "An unacknowledged request with an Idempotency-Key" is repeated at every api and gives one effect; one that was answered at
 * last, after it had been asked for several times, answers the same for ever.
 */
const askAgain = async (calls: readonly Call[], { witness, repeated }: Asked): Promise<void> => {
  for (const outcome of new Set([...repeated, ...witness.unanswered()])) {
    if (outcome.deed.idempotencyKey === undefined) continue;
    for (const call of calls) {
      const before = outcome.answer;
      outcome.answer = await perform(call, outcome.deed);
      if (before && before.status < 300) expect([outcome.answer.status, outcome.answer.text]).toEqual([201, before.text]);
    }
  }
};

/** The log once everything that was begun has ended, and all that follows it has come to its end. */
const settledEvents = (kept: Kept): Promise<readonly StoredEvent[]> =>
  eventually(
    'everything that was begun to end',
    async () => {
      const events = await kept.events();
      const left = unfinished(events);
      if (left.length > 0) throw new Error(`${left.length} are left: ${some(left).join('\n')}`);
      const last = events.at(-1)?.position ?? 0;
      const behind = Object.entries(await kept.followers()).filter(([, position]) => position < last);
      if (behind.length > 0) throw new Error(`the log ends at ${last}: ${behind.map((entry) => entry.join(' is at ')).join(', ')}`);
      return events;
    },
    SETTLES_WITHIN,
  );

/** Answers how many charges there are. */
const expectLogAndMoney = async (events: readonly StoredEvent[], kept: Kept, witness: Witness): Promise<number> => {
  expect(some(witness.surprises())).toEqual([]);
  expect(some(faultsIn(events, 'growing'))).toEqual([]);
  expect(some(witness.contradictions(events))).toEqual([]);
  const charges = await kept.charges();
  expect(some(ledgerFaults(events, charges))).toEqual([]);
  return charges.length;
};

const expectReadModels = async (events: readonly StoredEvent[], kept: Kept, calls: readonly Call[]): Promise<void> => {
  expect(differencesFromReplay(await kept.snapshot(events))).toEqual([]);
  const counted = countedByReplay(events);
  for (const call of calls) expect((await call('GET', '/v1/inventories')).json).toMatchObject(counted);
};

/** The inventory as a replay counts it: status by status, all that are not zero. */
const countedByReplay = (events: readonly StoredEvent[]): Readonly<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const projection of projections.filter(({ name }) => name === 'pets' || name === 'orders')) {
    const place = projection.collection.cells.indexOf('status');
    for (const [cell, amount] of Object.entries(replayed(projection, events).cells)) {
      const status = String((JSON.parse(cell) as readonly unknown[])[place]);
      // "a cancelled order holds nothing"
      if (status !== 'cancelled') counts[status] = (counts[status] ?? 0) + amount;
    }
  }
  return counts;
};

/** Whether nobody else asked for the same: what is done then was done for this one. */
const isTheOnly =
  ({ outcomes }: Witness) =>
  ({ deed }: Outcome): boolean =>
    outcomes.filter((other) => other.deed.event === deed.event && other.deed.mark === deed.mark).length === 1;

const expectTold = async (events: readonly StoredEvent[], brokers: string): Promise<Pick<AuditReport, 'told' | 'toldAgain'>> => {
  const expected = toBeTold(events);
  const told = await readTold(brokers, expected);
  expect(some(faultsInTold(told, expected))).toEqual([]);
  return { told: expected.length, toldAgain: told.length - expected.length };
};
