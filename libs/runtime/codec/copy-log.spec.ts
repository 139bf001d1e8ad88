import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable, type EncodedEvent, type EventStore, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { copyLog, NotCopied, OtherHistory } from './copy-log.js';

/** As much as one append may hold where the copy goes. */
const MOST_BYTES = 1_048_576;

/** A log in memory that says how large each append was, and takes none that is too large. */
const logOf = (...written: readonly StoredEvent[]) => {
  const events: StoredEvent[] = [...written];
  const appends: number[] = [];
  const readStream = async (stream: string): Promise<readonly StoredEvent[]> => events.filter((event) => event.stream === stream);
  const store: EventStore = {
    readStream,
    readAll: async (after, limit) => events.slice(after, after + limit),
    async append(stream, expected, added) {
      const bytes = added.reduce((sum, { data, metadata }) => sum + Buffer.byteLength(data + metadata), 0);
      if (bytes > MOST_BYTES) throw new Error('maximum append size exceeded');
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

/** So many events of one stream, of so many bytes each. */
const stretch = (stream: string, count: number, bytes = 10, from = 0): readonly StoredEvent[] =>
  Array.from({ length: count }, (_, index) => {
    // Two bytes each, as text that is not English may be.
    const event = { id: `${stream}/${index}`, type: 'Made', data: 'é'.repeat(bytes / 2), metadata: '' };
    return at(stream, index, event, from + index + 1);
  });

const copy = (from: ReturnType<typeof logOf>, to: ReturnType<typeof logOf>): Promise<void> =>
  copyLog(from.store, to.store, () => undefined);

describe('a copy of a log', () => {
  it('has every event, where it was in its stream', async () => {
    const from = logOf(...stretch('pet-1', 3), ...stretch('pet-2', 2, 10, 3));
    const to = logOf();
    await copy(from, to);
    expect(to.events).toEqual(from.events);
  });

  it('is made in pieces that any store takes, however many events of one stream follow each other', async () => {
    const from = logOf(...stretch('pet-1', 60, 40_000));
    const to = logOf();
    await copy(from, to);
    expect(to.events).toEqual(from.events);
    expect(Math.max(...to.appends)).toBeLessThanOrEqual(500_000);
  });

  it('takes an event that is larger than a piece by itself', async () => {
    const from = logOf(...stretch('pet-1', 3, 900_000));
    const to = logOf();
    await copy(from, to);
    expect(to.appends).toEqual([900_000, 900_000, 900_000]);
  });

  it('goes on where more has come to a stream that was copied', async () => {
    const events = stretch('pet-1', 5);
    const to = logOf();
    await copy(logOf(...events.slice(0, 3)), to);
    await copy(logOf(...events), to);
    expect(to.events).toEqual(events);
  });

  it('is refused where another log has something else', async () => {
    const other = stretch('pet-1', 2).map((event) => ({ ...event, id: `other ${event.id}` }));
    await expect(copy(logOf(...stretch('pet-1', 3)), logOf(...other))).rejects.toThrow(OtherHistory);
  });

  it('says which event could not be copied, and why', async () => {
    const copied = copy(logOf(...stretch('pet-1', 1), ...stretch('pet-2', 1, 2_000_000, 1)), logOf());
    await expect(copied).rejects.toThrow(NotCopied);
    await expect(copied).rejects.toThrow(/^pet-2, revision 0: maximum append size exceeded/);
  });

  it('says so when the other store cannot be used now', async () => {
    const to = logOf();
    const down: EventStore = { ...to.store, append: () => Promise.reject(new StoreUnavailable('it is down')) };
    await expect(copyLog(logOf(...stretch('pet-1', 1)).store, down, () => undefined)).rejects.toThrow(StoreUnavailable);
  });
});
