import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CountEvent, SignedCount } from '../../domain/checkpoints/checkpoint.events.js';
import { auditedLog, testKey, type AuditedLog } from '../audit.fixtures.js';
import { isSignedBy } from '../proof/signatures.js';
import { MessageCounter } from './message-counter.js';

const TENANT = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';
const topicOf = ({ stream }: { readonly stream: string }): string | null =>
  /^(pet|order)-/.test(stream) ? `${stream.split('-')[0]}s` : null;

let log: AuditedLog;
let created: number;
beforeEach(() => {
  log = auditedLog();
  created = 0;
  log.clock.set('2026-01-01T12:00:00.000Z');
});

const counter = (store: Partial<AuditedLog['store']> = {}): MessageCounter =>
  new MessageCounter({
    ...{ codec: log.codec, store: { ...log.store, ...store }, storeId: 'store-1', topicOf },
    ids: { next: () => `count-${++created}`, derived: () => 'not used' },
    signingKey: async () => testKey(1),
  });

const signed = (): readonly SignedCount[] =>
  log.events
    .filter(({ type }) => type === 'MessagesCounted')
    .map((event) => log.codec.decode(event).data as CountEvent['data'])
    .map(({ count, signature }) => ({ count, signature }));

/** Returns the counts as text, such as `2026-01-01 shared pets=2`. */
const counts = (): readonly string[] =>
  signed().map(({ count: { day, tenant, topics } }) => [day, tenant, ...topics.map(({ topic, count }) => `${topic}=${count}`)].join(' '));

const addAt = (time: string, stream: string, count: number, tenant?: string): Promise<void> => {
  // The fixture moves the clock by a second before it appends.
  log.clock.set(Date.parse(time) - 1_000);
  return log.add(stream, count, tenant);
};

/** Adds events of two days in two tenants. */
const addTwoDays = async (): Promise<void> => {
  await addAt('2026-01-01T12:00:00.000Z', 'pet-1', 2);
  await addAt('2026-01-01T13:00:00.000Z', 'order-1', 1);
  await addAt('2026-01-01T14:00:00.000Z', 'pet-2', 3, TENANT);
  await addAt('2026-01-01T15:00:00.000Z', 'user-1', 5);
  await addAt('2026-01-02T00:00:00.000Z', 'pet-1', 1);
};

const FIRST_DAY = [`2026-01-01 ${TENANT} pets=3`, '2026-01-01 shared orders=1 pets=2'];

/** Proves contract 35.7. */
describe('the counts of messages', () => {
  it('contain the messages of each topic, tenant and closed day, and are signed and numbered', async () => {
    await addTwoDays();
    await counter().countUntil('2026-01-02');
    expect(counts()).toEqual(FIRST_DAY);
    for (const { count, signature } of signed()) expect(isSignedBy(log.keys, count.keyId, count, signature)).toBe(true);
    expect(signed().map(({ count: { index, part, parts, store } }) => [index, part, parts, store])).toEqual([
      [0, 1, 2, 'store-1'],
      [1, 2, 2, 'store-1'],
    ]);
  });

  it('are made only once, even if another process counts again', async () => {
    await addTwoDays();
    await counter().countUntil('2026-01-02');
    await counter().countUntil('2026-01-02');
    expect(counts()).toEqual(FIRST_DAY);
  });

  it('continue with the day after the last count, and an empty day has a count of the shared pool', async () => {
    await addTwoDays();
    await counter().countUntil('2026-01-02');
    await counter().countUntil('2026-01-03');
    await counter().countUntil('2026-01-04');
    expect(counts().slice(2)).toEqual(['2026-01-02 shared pets=1', '2026-01-03 shared']);
    expect(signed().map(({ count }) => count.index)).toEqual([0, 1, 2, 3]);
  });

  it('are made for several days at once after an outage', async () => {
    await addTwoDays();
    await addAt('2026-01-04T12:00:00.000Z', 'pet-1', 1);
    await counter().countUntil('2026-01-06');
    expect(counts()).toEqual([...FIRST_DAY, '2026-01-02 shared pets=1', '2026-01-04 shared pets=1', '2026-01-05 shared']);
  });

  it('contain, in the next set, an event that was appended after the count of its day', async () => {
    await addTwoDays();
    await counter().countUntil('2026-01-02');
    await addAt('2026-01-01T23:59:59.000Z', 'order-1', 2);
    await counter().countUntil('2026-01-03');
    await addAt('2026-01-01T23:59:59.000Z', 'order-1', 1);
    await counter().countUntil('2026-01-04');
    expect(counts().slice(2)).toEqual([
      '2026-01-01 shared orders=2',
      '2026-01-02 shared pets=1',
      '2026-01-01 shared orders=1',
      '2026-01-03 shared',
    ]);
  });

  it('are not made before the end of the first day', async () => {
    await addTwoDays();
    await counter().countUntil('2026-01-01');
    expect(counts()).toEqual([]);
    log = auditedLog();
    await counter().countUntil('2026-01-02');
    expect(log.events).toEqual([]);
  });

  it('are finished by the next process, if an append failed in the middle of a set', async () => {
    const all = Array.from({ length: 250 }, (_, index) => `tenant-${String(index).padStart(3, '0')}`);
    for (const tenant of all) await addAt('2026-01-01T12:00:00.000Z', `pet-${tenant}`, 1, tenant);
    let appends = 0;
    const failing: AuditedLog['store']['append'] = async (...call) => {
      if (++appends > 2) throw new Error('the log is down');
      return log.store.append(...call);
    };
    await expect(counter({ append: failing }).countUntil('2026-01-02')).rejects.toThrow('the log is down');
    expect(signed()).toHaveLength(200);
    await addAt('2026-01-01T23:00:00.000Z', 'pet-late', 1, 'late');
    await counter().countUntil('2026-01-03');
    expect(counts()).toEqual([
      ...['2026-01-01 shared', ...all.map((tenant) => `2026-01-01 ${tenant} pets=1`)],
      ...['2026-01-01 late pets=1', '2026-01-02 shared'],
    ]);
    expect(signed().map(({ count }) => count.index)).toEqual(signed().map((_, index) => index));
    expect(signed().every(({ count: { part, parts } }, index) => parts === (index < 251 ? 251 : 2) && part >= 1)).toBe(true);
  });

  it('are not made twice if two processes count at the same time', async () => {
    for (let tenant = 0; tenant < 250; tenant++) await addAt('2026-01-01T12:00:00.000Z', `pet-${tenant}`, 1, `tenant-${tenant}`);
    // The first process appends first, and then waits so that the second process may append.
    const slow: AuditedLog['store']['append'] = async (...call) => {
      const result = await log.store.append(...call);
      await new Promise(setImmediate);
      return result;
    };
    await Promise.allSettled([counter({ append: slow }).countUntil('2026-01-02'), counter().countUntil('2026-01-02')]);
    expect([counts().length, new Set(counts()).size]).toEqual([251, 251]);
    expect((await log.verify()).faults).toEqual([]);
  });

  it('stop at a signal after the current page, and continue later', async () => {
    await addTwoDays();
    await addAt('2026-01-02T12:00:00.000Z', 'user-1', 1_500);
    const pages: number[] = [];
    const stopping = new AbortController();
    const readAll: AuditedLog['store']['readAll'] = async (...call) => {
      const page = await log.store.readAll(...call);
      pages.push(page.length);
      stopping.abort();
      return page;
    };
    await counter({ readAll }).countUntil('2026-01-02', stopping.signal);
    expect([pages, counts()]).toEqual([[1_000], []]);
    await counter().countUntil('2026-01-02');
    expect(counts()).toEqual(FIRST_DAY);
  });

  it('continue in a copy of the log, which has other positions', async () => {
    await addTwoDays();
    log.events = log.events.map((event) => ({ ...event, position: event.position + 1_000 }));
    await counter().countUntil('2026-01-02');
    log.events = log.events.map((event, index) => ({ ...event, position: index + 1 }));
    await addAt('2026-01-02T12:00:00.000Z', 'pet-2', 1, TENANT);
    await counter().countUntil('2026-01-03');
    expect(counts().slice(2)).toEqual([`2026-01-02 ${TENANT} pets=1`, '2026-01-02 shared pets=1']);
  });

  it('are covered by checkpoints, and an altered count is found', async () => {
    await addTwoDays();
    await counter().countUntil('2026-01-02');
    await log.maker.make();
    expect((await log.verify()).faults).toEqual([]);
    log.events = log.events.map((event) => ({ ...event, data: event.data.replace('"count":2', '"count":1') }));
    expect((await log.verify()).faults).toMatchObject([{ kind: 'altered', stream: 'checkpoint-counts', revision: 1 }]);
    await expect(counter().countUntil('2026-01-03')).rejects.toThrow('does not match its hash');
  });
});
