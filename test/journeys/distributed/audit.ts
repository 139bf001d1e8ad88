import { expect } from '@jest/globals';
import { expectInvariant } from '../../expect-invariant.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { caller, type Call } from '../../servers/calling.js';
import type { Cluster } from '../../servers/cluster.js';
import { ledgerDifferences } from '../consequences.js';
import { differencesFromReplay, logViolations } from '../replay.js';
import { sendRequest } from '../shoppers.js';
import { lostChanges, countRecorded, type Outcome, type RequestRecorder } from '../request-recorder.js';
import { openClusterStorage, type ClusterStorage } from './cluster-storage.js';
import { firstLines, inventoryFromReplay, waitUntilSettled } from './settled.js';
import { topicViolations, readTopics, expectedMessages } from './topic-messages.js';

/** The requests that were sent to a cluster, and a token for further requests. */
export type AuditInput = {
  readonly recorder: RequestRecorder;
  /** Requests that were sent more than once, each with its idempotency key. */
  readonly repeated: readonly Outcome[];
  readonly token: string;
};

/** The counts that an audit reports. */
export type AuditReport = {
  readonly events: number;
  readonly charges: number;
  readonly messages: number;
  /** Messages that were received more than once. */
  readonly repeatedMessages: number;
  readonly acknowledged: number;
  /** Requests that got no response although the log contains their change. */
  readonly recordedUnanswered: number;
  /** Milliseconds from the last request until all follow-up work was done. */
  readonly settledAfter: number;
};

/**
 * Checks log, ledger, read models and topics after the last request: nothing acknowledged is lost, nothing is
 * charged twice, read models equal a replay, and no sequence has a gap (contract 24.8).
 */
export const audit = async (cluster: Cluster, input: AuditInput): Promise<AuditReport> => {
  const calls = cluster.apis.map(({ url }) => caller(url, input.token));
  const { NAMESPACE: namespace = '' } = cluster.settings;
  const storage = await openClusterStorage({ eventStoreUrl: cluster.eventStore.url, mongoUrl: cluster.mongod.url, namespace });
  try {
    await repeatUnanswered(calls, input);
    const begun = performance.now();
    const unanswered = input.recorder.unanswered();
    const events = await waitUntilSettled(storage);
    const settledAfter = Math.round(performance.now() - begun);
    const charges = await expectLogAndMoney(events, storage, input.recorder);
    await expectReadModels(events, storage, calls);
    for (const call of calls) expectInvariant('no acknowledged change is lost', await lostChanges(input.recorder, call));
    const messageCounts = await expectTopics(events, cluster.kafka.brokers, namespace);
    return {
      events: events.length,
      charges,
      ...messageCounts,
      acknowledged: input.recorder.acknowledged().length,
      recordedUnanswered: countRecorded(unanswered.filter(isUnique(input.recorder)), events),
      settledAfter,
    };
  } finally {
    await storage.close();
  }
};

/**
 * Sends to every API, once more, each repeated or unanswered request that has an `Idempotency-Key`
 * (contract 24.8). Expects the same response again for a request that has succeeded before.
 */
const repeatUnanswered = async (calls: readonly Call[], { recorder, repeated }: AuditInput): Promise<void> => {
  for (const outcome of new Set([...repeated, ...recorder.unanswered()])) {
    if (outcome.request.idempotencyKey === undefined) continue;
    for (const call of calls) {
      const before = outcome.response;
      outcome.response = await sendRequest(call, outcome.request);
      if (before && before.status < 300) expect([outcome.response.status, outcome.response.text]).toEqual([201, before.text]);
    }
  }
};

/** Expects that the log matches the responses and the gateway's ledger. Returns the number of charges. */
const expectLogAndMoney = async (events: readonly StoredEvent[], storage: ClusterStorage, recorder: RequestRecorder): Promise<number> => {
  expect(firstLines(recorder.unexpectedResponses())).toEqual([]);
  expectInvariant('the log is valid', logViolations(events, 'growing'));
  expectInvariant('the log matches the responses', recorder.contradictions(events));
  const charges = await storage.charges();
  expectInvariant('the ledger matches the log', ledgerDifferences(events, charges));
  return charges.length;
};

const expectReadModels = async (events: readonly StoredEvent[], storage: ClusterStorage, calls: readonly Call[]): Promise<void> => {
  expectInvariant('the read models equal a replay', differencesFromReplay(await storage.snapshot(events)));
  const counted = inventoryFromReplay(events);
  for (const call of calls) expect((await call('GET', '/v1/inventories')).json).toMatchObject(counted);
};

/**
 * Returns true if this is the only request that causes an event with its type and marker. If the log contains such an event, this
 * request caused it.
 */
const isUnique =
  ({ outcomes }: RequestRecorder) =>
  ({ request }: Outcome): boolean =>
    outcomes.filter((other) => other.request.event === request.event && other.request.marker === request.marker).length === 1;

const expectTopics = async (
  events: readonly StoredEvent[],
  brokers: string,
  namespace: string,
): Promise<Pick<AuditReport, 'messages' | 'repeatedMessages'>> => {
  const expected = expectedMessages(events);
  const messages = await readTopics(brokers, expected, namespace);
  expectInvariant('the topics match the log', topicViolations(messages, expected));
  return { messages: expected.length, repeatedMessages: messages.length - expected.length };
};
