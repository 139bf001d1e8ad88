import { createPublicKey } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { DayCounts, GapFinder, readKeys } from '../../examples/subscriber/subscriber.js';
import { testKey } from '../../libs/audit/audit.fixtures.js';
import { signCount } from '../../libs/audit/proof/signing.js';
import type { MessageCount, SignedCount } from '../../libs/domain/checkpoints/checkpoint.events.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ROOT, runProgram } from '../servers/program.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { sharedPython } from '../servers/services/python.js';

const [ORDERS, USERS, CHECKPOINTS] = ['petstore.orders.v1', 'petstore.users.v1', 'petstore.checkpoints.v1'];
const TENANT = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const [FIRST, SECOND] = ['2026-01-01', '2026-01-02'];
const KEY = testKey(1);
const KEYS = JSON.stringify({ keys: [{ kid: KEY.keyId, ...createPublicKey(KEY.privateKey).export({ format: 'jwk' }) }] });

type Fed = {
  readonly topic: string;
  readonly key: string;
  readonly sequence: number;
  readonly id: string;
  readonly tenant: string;
  readonly time: string;
  readonly data: string | null;
};

const message = (topic: string, key: string, sequence: number, tenant: string, day: string): Fed => ({
  ...{ topic, key, sequence, id: `${key}/${sequence}`, tenant, time: `${day}T12:00:00.000Z`, data: null },
});

const MESSAGES = [
  message(ORDERS, 'a', 1, 'shared', FIRST),
  message(ORDERS, 'a', 2, 'shared', FIRST),
  message(ORDERS, 'b', 1, TENANT, FIRST),
  message(USERS, 'u', 3, 'shared', FIRST),
  message(ORDERS, 'a', 3, 'shared', SECOND),
];

const statement = (index: number, [part, parts]: readonly [number, number], tenant: string, day: string, counts: object): SignedCount => {
  const topics = Object.entries(counts).map(([topic, count]) => ({ topic, count: Number(count) }));
  return signCount(KEY, { store: 'store-1', index, part, parts, tenant, day, topics });
};

/**
 * Two sets of two counts. The second set counts one more message of the day FIRST, because it was recorded after the first set.
 */
const COUNTS = [
  statement(0, [1, 2], TENANT, FIRST, { [ORDERS]: 1 }),
  statement(1, [2, 2], 'shared', FIRST, { [ORDERS]: 1, [USERS]: 1 }),
  statement(2, [1, 2], 'shared', FIRST, { [ORDERS]: 1 }),
  statement(3, [2, 2], 'shared', SECOND, { [ORDERS]: 1 }),
];

const published = (signed: SignedCount, sequence = signed.count.index + 1): Fed => ({
  ...message(CHECKPOINTS, 'counts', sequence, signed.count.tenant, '2026-01-03'),
  data: JSON.stringify(signed),
});

const without = <T>(all: readonly T[], index: number): readonly T[] => all.filter((_, place) => place !== index);
const forged = (change: Partial<MessageCount>): readonly SignedCount[] =>
  COUNTS.map((signed, index) => (index === 1 ? { ...signed, count: { ...signed.count, ...change } } : signed));

type Report = { readonly isComplete: boolean; readonly lines: readonly string[] };
type Subscriber = (fed: readonly Fed[], topics: readonly string[]) => Promise<Report>;

const inTypeScript: Subscriber = (fed, topics) => {
  const [gaps, counts] = [new GapFinder(), new DayCounts(readKeys(KEYS))];
  for (const { data, ...received } of fed) {
    if (!gaps.add(received)) continue;
    counts.addMessage(received);
    if (data !== null) counts.addCount(data);
  }
  return Promise.resolve(counts.report(topics));
};

/** Proves contract 35.7 for subscribers. */
const describeSubscriber = (language: string, report: Subscriber): void =>
  describe(`a subscriber in ${language} that compares its messages with the counts`, () => {
    afterAll(removeFolders);
    const TOPICS = [ORDERS, USERS];
    const linesOf = async (
      messages: readonly Fed[],
      counts: readonly SignedCount[] = COUNTS,
      topics: readonly string[] = TOPICS,
    ): Promise<readonly string[]> => {
      const { isComplete, lines } = await report([...messages, ...counts.map((signed) => published(signed))], topics);
      expect(isComplete).toBe(/^(complete|there)/.test(lines[0] ?? ''));
      return lines;
    };

    it('reports that it is complete up to the last counted day', async () => {
      expect(await linesOf(MESSAGES)).toEqual(['complete up to 2026-01-02']);
      // A day after the last count is not part of the report.
      expect(await linesOf([...MESSAGES, message(ORDERS, 'a', 4, 'shared', '2026-01-03')])).toEqual(['complete up to 2026-01-02']);
    });

    it('names the day on which the last message of a key is missing, which leaves no gap', async () =>
      expect(await linesOf(without(MESSAGES, 4))).toEqual([`incomplete ${ORDERS} shared ${SECOND}: 0 of 1`]));

    it('names the day on which the message of an account’s erasure is missing', async () =>
      expect(await linesOf(without(MESSAGES, 3))).toEqual([`incomplete ${USERS} shared ${FIRST}: 0 of 1`]));

    it('names the tenant and the day of a missing message, also of one that only the second count of the day includes', async () =>
      expect(await linesOf(without(without(MESSAGES, 2), 1))).toEqual([
        `incomplete ${ORDERS} ${TENANT} ${FIRST}: 0 of 1`,
        `incomplete ${ORDERS} shared ${FIRST}: 1 of 2`,
      ]));

    it('counts a message once, and a count once, when they arrive twice', async () => {
      const counted = COUNTS.map((signed) => published(signed));
      const twice = [
        ...MESSAGES,
        ...MESSAGES,
        ...counted,
        ...counted,
        ...counted.map((each) => ({ ...each, sequence: each.sequence + 4 })),
      ];
      expect(await report(twice, TOPICS)).toEqual({ isComplete: true, lines: ['complete up to 2026-01-02'] });
      const [missing] = (await report(without(twice, 4).slice(0, 4).concat(counted), TOPICS)).lines;
      expect(missing).toContain('0 of 1');
    });

    it('compares only the topics that it reads, also when their names contain a namespace', async () => {
      expect(await linesOf(without(MESSAGES, 3), COUNTS, [ORDERS])).toEqual(['complete up to 2026-01-02']);
      const inShop = MESSAGES.map((each) => ({ ...each, topic: each.topic.replace('petstore.', 'petstore.shop.') }));
      expect(await linesOf(without(inShop, 4), COUNTS, ['petstore.shop.orders.v1'])).toEqual([
        `incomplete ${ORDERS} shared ${SECOND}: 0 of 1`,
      ]);
    });

    it('names a missing count, also the last count of a set', async () => {
      expect(await linesOf(MESSAGES, COUNTS.slice(1))).toEqual(['count 0 is missing']);
      expect(await linesOf(MESSAGES, COUNTS.slice(0, 3))).toEqual(['count 3 is missing']);
    });

    it('rejects a count that was altered, or that names another key', async () => {
      const rejected = ['count 1 is not signed by a known key', 'count 1 is missing'];
      expect(await linesOf(MESSAGES, forged({ topics: [] }))).toEqual(rejected);
      expect(await linesOf(MESSAGES, forged({ keyId: testKey(2).keyId }))).toEqual(rejected);
    });

    it('says that there is no count yet', async () => expect(await linesOf(MESSAGES, [])).toEqual(['there is no count yet']));
  });

describeSubscriber('TypeScript', inTypeScript);

describeIfAvailable('a subscriber in Python that compares its messages', await sharedPython(), ({ python }) =>
  describeSubscriber('Python', async (fed, topics) => {
    const [feed, keys] = [join(newFolder(), 'feed.ndjson'), join(newFolder(), 'keys.json')];
    writeFileSync(feed, fed.map((each) => `${JSON.stringify(each)}\n`).join(''));
    writeFileSync(keys, KEYS);
    const script = join(ROOT, 'test', 'consumers', 'feed_subscriber.py');
    const { code, stdout, stderr } = await runProgram(python, [script, feed, keys, ...topics]);
    expect([code, stderr]).toEqual([0, '']);
    const lines = stdout.split('\n');
    const end = lines.findIndex((line) => line === 'True' || line === 'False');
    return { isComplete: lines[end] === 'True', lines: lines.slice(0, end) };
  }),
);
