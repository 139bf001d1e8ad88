import { beforeAll, describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { chainedLog, type ChainedLog } from './chained-log.fixtures.js';
import { HistoryReader } from './history-reader.js';
import { readEvent, readHistory } from './verified-history.js';

let log: ChainedLog;
beforeAll(async () => {
  log = await chainedLog({ 'thing-1': 4, 'thing-2': 2 });
});

const change = (stream: string, revision: number, by: Partial<StoredEvent>): readonly StoredEvent[] =>
  log.events.map((event) => (event.stream === stream && event.revision === revision ? { ...event, ...by } : event));
const dataOf = (revision: number): string =>
  log.events.find((event) => event.stream === 'thing-1' && event.revision === revision)?.data ?? '';

describe('a reader of the log', () => {
  it('reads an unchanged log event by event', async () => {
    const reader = new HistoryReader(log.logWith(log.events));
    const seen = [];
    for (const event of log.events) seen.push(...(await reader.read([event])).events);
    expect(seen.map(({ id }) => id)).toEqual(log.events.map(({ id }) => id));
  });

  it.each([1, 2, 3])('starts in the middle of a stream, at revision %s, with the hash of the previous event', async (revision) => {
    const from = log.events.filter((event) => event.stream === 'thing-1' && event.revision >= revision);
    expect((await new HistoryReader(log.logWith(log.events)).read(from)).faults).toEqual([]);
  });

  it('reads the previous event again after its hash was evicted from the cache', async () => {
    const reader = new HistoryReader(log.logWith(log.events), 'verifies and decodes', 1);
    expect((await reader.read(log.events)).faults).toEqual([]);
    expect(log.reads()).toBeGreaterThan(0);
  });

  it('only decodes if another reader verifies the chains', async () => {
    const altered = change('thing-1', 2, { data: '{"n":99}' });
    const unreadable = change('thing-1', 2, { data: '{' });
    const read = (events: readonly StoredEvent[]) => new HistoryReader(log.logWith(events), 'decodes').read(events);
    expect(await read(altered)).toMatchObject({ faults: [], events: { length: 6 } });
    expect(await read(unreadable)).toMatchObject({ faults: [{ stream: 'thing-1', revision: 2, kind: 'unreadable' }] });
  });

  const alterations: [string, number, () => readonly StoredEvent[]][] = [
    ['changed data', 2, () => change('thing-1', 2, { data: '{"n":99}' })],
    ['a changed tenant', 1, () => change('thing-1', 1, { metadata: metadataOf(1).replace('"shared"', '"other"') })],
    ['a changed hash', 1, () => change('thing-1', 1, { metadata: metadataOf(1).replace(/"hash":".{5}/, '"hash":"AAAAA') })],
    ['invalid JSON as data', 3, () => change('thing-1', 3, { data: '{' })],
    ['truncated metadata', 3, () => change('thing-1', 3, { metadata: metadataOf(3).slice(0, 30) })],
    ['a deleted first event', 0, () => log.events.filter((event) => event.stream !== 'thing-1' || event.revision !== 0)],
    ['a deleted event in the middle', 1, () => log.events.filter((event) => event.stream !== 'thing-1' || event.revision !== 1)],
    ['two swapped events', 1, () => change('thing-1', 1, { data: dataOf(2) })],
    ['another type', 1, () => change('thing-1', 1, { type: 'Renamed' })],
  ];
  const metadataOf = (revision: number): string =>
    log.events.find((event) => event.stream === 'thing-1' && event.revision === revision)?.metadata ?? '';

  it.each(alterations)(
    'finds %s, from the first event and from the middle, and continues with other streams',
    async (_, revision, make) => {
      const events = make();
      for (const from of [0, 2, 3]) {
        const part = events.filter((event) => event.stream !== 'thing-1' || event.revision >= from);
        const { faults, events: usable } = await new HistoryReader(log.logWith(events)).read(part);
        // A read that starts two or more events after the altered event does not find the fault. The check at startup does,
        // because it reads the whole log.
        if (from <= revision + 1) expect(faults).toEqual([expect.objectContaining({ stream: 'thing-1', kind: 'altered' })]);
        expect(usable.filter(({ meta }) => meta.stream === 'thing-2')).toHaveLength(2);
      }
      await expect(readHistory(log.logWith(events), 'thing-1')).rejects.toThrow('thing-1');
      const isGone = !events.some((event) => event.stream === 'thing-1' && event.revision === revision);
      await expect(readEvent(log.logWith(events), 'thing-1', isGone ? revision + 1 : revision)).rejects.toThrow('thing-1');
    },
  );
});
