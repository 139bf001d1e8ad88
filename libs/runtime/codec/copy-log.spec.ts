import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable, type EncodedEvent, type EventStore, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { copyLog, CopyFailed, HistoryMismatch } from './copy-log.js';
import { override } from '../../eventsourcing/testing/override.js';

/** The maximum size of one append at the destination, in bytes. */
const MAX_BYTES = 1_048_576;

/** A log in memory that records the size of each append and rejects one that is too large. */
const logOf = (...written: readonly StoredEvent[]) => {
  const events: StoredEvent[] = [...written];
  const appends: number[] = [];
  const readStream = async (stream: string): Promise<readonly StoredEvent[]> => events.filter((event) => event.stream === stream);
  const store: EventStore = {
    readStream,
    readAll: async (after, limit) => events.slice(after, after + limit),
    async append(stream, expected, added) {
      const bytes = added.reduce((sum, { data, metadata }) => sum + Buffer.byteLength(data + metadata), 0);
      if (bytes > MAX_BYTES) throw new Error('maximum append size exceeded');
      const there = await readStream(stream);
      const first = expected === 'none' ? 0 : expected + 1;
      const same = there.slice(first, first + added.length);
      const revision = first + added.length - 1;
      if (same.length === added.length && same.every(({ id }, index) => id === added[index]?.id))
        return { kind: 'appended', revision, position: same.at(-1)?.position ?? 0 };
      if (there.length !== first) return { kind: 'conflict', actual: there.length - 1 };
      for (const event of added) events.push(at(stream, there.length + added.indexOf(event), event, events.length + 1));
      appends.push(bytes);
      return { kind: 'appended', revision, position: events.length };
    },
    async *subscribe() {},
  };
  return { events, appends, store };
};

const at = (stream: string, revision: number, { id, type, data, metadata }: EncodedEvent, position: number): StoredEvent => ({
  ...{ id, type, data, metadata, stream, revision, position },
});

/** Returns `count` events of one stream with `bytes` of data each. */
const eventsOf = (stream: string, count: number, bytes = 10, from = 0): readonly StoredEvent[] =>
  Array.from({ length: count }, (_, index) => {
    // Two bytes per character, as in non-English text.
    const event = { id: `${stream}/${index}`, type: 'Made', data: 'é'.repeat(bytes / 2), metadata: '' };
    return at(stream, index, event, from + index + 1);
  });

const copy = (from: ReturnType<typeof logOf>, to: ReturnType<typeof logOf>): Promise<void> =>
  copyLog(from.store, to.store, () => undefined);

describe('a copy of a log', () => {
  it('has every event at its revision', async () => {
    const from = logOf(...eventsOf('pet-1', 3), ...eventsOf('pet-2', 2, 10, 3));
    const to = logOf();
    await copy(from, to);
    expect(to.events).toEqual(from.events);
  });

  it('appends batches that any store accepts, for any number of consecutive events of one stream', async () => {
    const from = logOf(...eventsOf('pet-1', 60, 40_000));
    const to = logOf();
    await copy(from, to);
    expect(to.events).toEqual(from.events);
    expect(Math.max(...to.appends)).toBeLessThanOrEqual(500_000);
  });

  it('appends an event alone if it is larger than a batch', async () => {
    const from = logOf(...eventsOf('pet-1', 3, 900_000));
    const to = logOf();
    await copy(from, to);
    expect(to.appends).toEqual([900_000, 900_000, 900_000]);
  });

  it('continues with the new events of a stream that was copied before', async () => {
    const events = eventsOf('pet-1', 5);
    const to = logOf();
    await copy(logOf(...events.slice(0, 3)), to);
    await copy(logOf(...events), to);
    expect(to.events).toEqual(events);
  });

  it('is rejected if the destination has different events', async () => {
    const other = eventsOf('pet-1', 2).map((event) => ({ ...event, id: `other ${event.id}` }));
    await expect(copy(logOf(...eventsOf('pet-1', 3)), logOf(...other))).rejects.toThrow(HistoryMismatch);
  });

  it('names the event that could not be copied, and the reason', async () => {
    const copied = copy(logOf(...eventsOf('pet-1', 1), ...eventsOf('pet-2', 1, 2_000_000, 1)), logOf());
    await expect(copied).rejects.toThrow(CopyFailed);
    await expect(copied).rejects.toThrow(/^pet-2, revision 0: maximum append size exceeded/);
  });

  it('rejects with StoreUnavailable when the destination is unavailable', async () => {
    const to = logOf();
    const down = override<EventStore>(to.store, { append: () => Promise.reject(new StoreUnavailable('it is down')) });
    await expect(copyLog(logOf(...eventsOf('pet-1', 1)).store, down, () => undefined)).rejects.toThrow(StoreUnavailable);
  });
});
