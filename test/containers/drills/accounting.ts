import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { eventually } from '../../eventually.js';
import type { Call } from '../../servers/calling.js';
import type { ClusterStorage } from '../../journeys/distributed/cluster-storage.js';
import { firstLines, waitUntilSettled } from '../../journeys/distributed/settled.js';
import { expectedMessages, topicViolations } from '../../journeys/distributed/topic-messages.js';
import { ledgerDifferences } from '../../journeys/consequences.js';
import { differencesFromReplay, logViolations } from '../../journeys/replay.js';
import { lostChanges, type Outcome, type RequestRecorder } from '../../journeys/request-recorder.js';
import { sendRequest } from '../../journeys/shoppers.js';
import type { TopicSubscription } from './topic-subscription.js';
import type { WebhookReceiver } from './webhook-receiver.js';

/** The result of a load: what the log, read models, topics and webhooks contain, compared with the requests. */
export type Account = {
  /** Acknowledged changes that are missing from the log, read models, topics or webhooks. */
  readonly lost: readonly string[];
  /** Changes that were recorded or charged twice, and changes whose repeated request got a different response. */
  readonly doubled: readonly string[];
  /** Messages that arrived although a message with a lower sequence of the same key had not arrived yet. */
  readonly disordered: readonly string[];
  /** Other faults: unexpected responses, wrong hashes, wrong read models. */
  readonly others: readonly string[];
  /** The number of requests with an idempotency key that got no response, not even to their repetitions. */
  readonly unsettled: number;
  readonly events: number;
  readonly messages: number;
  readonly webhooks: number;
  /** Messages that the topics contain more than once, which the contract allows after a crash (22.4). */
  readonly repeatedMessages: number;
  /** Webhooks that were received more than once, which the contract allows (20.10). */
  readonly repeatedWebhooks: number;
  /** Milliseconds from the last request until all follow-up work was done and every lag was 0. */
  readonly settledAfter: number;
};

/** The inputs of `accountFor`. It checks the recorder's outcomes from index `from` on. Earlier steps have checked the others. */
export type AccountInput = {
  readonly calls: readonly Call[];
  readonly storage: ClusterStorage;
  readonly recorder: RequestRecorder;
  /** Requests that were repeated with their idempotency key. */
  readonly repeated: readonly Outcome[];
  readonly from: number;
  readonly topics: TopicSubscription;
  readonly webhooks: WebhookReceiver;
  /** Differences between the gateway's ledger and the log that a restore has caused. The account does not report them again. */
  readonly knownLedgerDifferences: readonly string[];
};

/**
 * Milliseconds to wait for the follow-up work of a load. It includes retries: if an outage ends just before the wait, webhooks
 * are retried after 5 s, and parked messages after 60 s.
 */
const WITHIN = 120_000;

/** Checks all effects of a load, after the load has stopped. */
export const accountFor = async (input: AccountInput): Promise<Account> => {
  const { calls, storage, recorder, repeated, from, topics, webhooks, knownLedgerDifferences } = input;
  const unsettled = await settleWithKey(calls, recorder.outcomes.slice(from));
  const begun = performance.now();
  const events = await waitUntilSettled(storage, WITHIN);
  const settledAfter = Math.round(performance.now() - begun);
  const charges = await storage.charges();
  const contradictions = recorder.contradictions(events);
  const unread = (await Promise.all(calls.map((call) => lostChanges(recorder, call, from)))).flat();
  const messages = await accountForTopics(events, topics);
  const deliveries = await accountForWebhooks(events, webhooks);
  return {
    lost: [...contradictions.filter(isLost), ...unread, ...messages.lost, ...deliveries.lost],
    doubled: [
      ...contradictions.filter(isDoubled),
      ...firstLines(ledgerDifferences(events, charges).filter((difference) => !knownLedgerDifferences.includes(difference))),
      ...(await answeredTwice(calls, repeated)),
    ],
    disordered: messages.disordered,
    others: firstLines([
      ...recorder.unexpectedResponses(),
      ...contradictions.filter((fault) => !isLost(fault) && !isDoubled(fault)),
      ...logViolations(events, 'growing'),
      ...differencesFromReplay(await storage.snapshot(events)),
      ...messages.others,
    ]),
    unsettled,
    events: events.length,
    messages: messages.count,
    webhooks: deliveries.count,
    repeatedMessages: messages.repeats,
    repeatedWebhooks: deliveries.repeats,
    settledAfter,
  };
};

const isLost = (contradiction: string): boolean => contradiction.includes('recorded 0 times');
const isDoubled = (contradiction: string): boolean => /recorded ([2-9]|\d\d+) times/.test(contradiction);

/** Repeats each unanswered request that has an idempotency key. Returns the number of those that still have no response. */
const settleWithKey = async (calls: readonly Call[], outcomes: readonly Outcome[]): Promise<number> => {
  const open = outcomes.filter(({ request, response }) => response === null && request.idempotencyKey !== undefined);
  for (const outcome of open)
    await eventually('an answer', async () => {
      for (const call of calls) {
        const response = await sendRequest(call, outcome.request);
        if (response.status < 500) return (outcome.response = response);
      }
      return null;
    }).catch(() => undefined);
  return open.filter(({ response }) => response === null).length;
};

/** Sends each repeated request once more to every API. Reports each response that differs from the first one (contract 24.8). */
const answeredTwice = async (calls: readonly Call[], repeated: readonly Outcome[]): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const { request, response } of repeated) {
    if (!response || response.status >= 300 || request.idempotencyKey === undefined) continue;
    for (const call of calls) {
      const again = await sendRequest(call, request);
      if (again.text !== response.text) faults.push(`${request.method} ${request.path} answered ${response.text}, then ${again.text}`);
    }
  }
  return faults;
};

type Received = { readonly lost: readonly string[]; readonly count: number; readonly repeats: number };

const accountForTopics = async (
  events: readonly StoredEvent[],
  { messages }: TopicSubscription,
): Promise<Received & { readonly disordered: readonly string[]; readonly others: readonly string[] }> => {
  const expected = expectedMessages(events);
  const isComplete = (): boolean => {
    const received = new Set(messages.map(({ attributes }) => attributes['id']));
    return expected.every(({ attributes }) => received.has(attributes['id']));
  };
  // A timeout is ignored: `topicViolations` reports the missing messages.
  await eventually('every message', () => messages.length >= expected.length && isComplete(), WITHIN).catch(() => undefined);
  const faults = topicViolations(messages, expected);
  const lost = faults.filter((fault) => fault.endsWith('was not published'));
  const disordered = faults.filter((fault) => fault.includes(' jumps from '));
  return {
    lost,
    disordered,
    others: faults.filter((fault) => !lost.includes(fault) && !disordered.includes(fault)),
    count: expected.length,
    repeats: Math.max(0, messages.length - expected.length),
  };
};

const accountForWebhooks = async (events: readonly StoredEvent[], webhooks: WebhookReceiver): Promise<Received> => {
  const expected = webhooks.expected(events);
  const missing = (): readonly string[] => {
    const received = webhooks.received();
    return expected.filter((id) => !received.has(id));
  };
  await eventually('every webhook', () => missing().length === 0, WITHIN).catch(() => undefined);
  const received = [...webhooks.received().values()].reduce((sum, count) => sum + count, 0);
  return {
    lost: missing().map((id) => `the webhook ${id} was not received`),
    count: expected.length,
    repeats: Math.max(0, received - expected.length),
  };
};
