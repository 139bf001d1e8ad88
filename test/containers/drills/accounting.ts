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
  /** Changes that are recorded or charged twice, or whose repeated request got a different response. */
  readonly doubled: readonly string[];
  /** Messages that were published before an earlier message of their key. */
  readonly disordered: readonly string[];
  /** Other faults: unexpected responses, wrong hashes, wrong read models. */
  readonly others: readonly string[];
  /** The number of requests with an idempotency key that got no response, although they were repeated. */
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

/** The inputs of `accountFor`. It checks the requests of the recorder's outcomes from index `from` on. */
export type AccountInput = {
  readonly calls: readonly Call[];
  readonly storage: ClusterStorage;
  readonly recorder: RequestRecorder;
  /** Requests that were repeated with their idempotency key. */
  readonly repeated: readonly Outcome[];
  readonly from: number;
  readonly topics: TopicSubscription;
  readonly webhooks: WebhookReceiver;
  /** Differences between ledger and log that a restore left behind. They are not reported again. */
  readonly knownLedgerDifferences: readonly string[];
};

/**
 * Milliseconds. An outage may end just before the wait. Webhooks are then retried after 5 s, and parked messages
 * after 60 s.
 */
const WITHIN = 120_000;

/** Checks all effects of a load that has stopped. */
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
      ...recorder.unexpectedAnswers(),
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

/** Repeats each unanswered request that has an idempotency key. Returns the number that is still unanswered. */
const settleWithKey = async (calls: readonly Call[], outcomes: readonly Outcome[]): Promise<number> => {
  const open = outcomes.filter(({ request, answer }) => answer === null && request.idempotencyKey !== undefined);
  for (const outcome of open)
    await eventually('an answer', async () => {
      for (const call of calls) {
        const answer = await sendRequest(call, outcome.request);
        if (answer.status < 500) return (outcome.answer = answer);
      }
      return null;
    }).catch(() => undefined);
  return open.filter(({ answer }) => answer === null).length;
};

/** Sends repeated requests again to every API. Reports each response that differs from the first (contract 24.8). */
const answeredTwice = async (calls: readonly Call[], repeated: readonly Outcome[]): Promise<readonly string[]> => {
  const faults: string[] = [];
  for (const { request, answer } of repeated) {
    if (!answer || answer.status >= 300 || request.idempotencyKey === undefined) continue;
    for (const call of calls) {
      const again = await sendRequest(call, request);
      if (again.text !== answer.text) faults.push(`${request.method} ${request.path} answered ${answer.text}, then ${again.text}`);
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
