import { describe, expect, it } from '@jest/globals';
import { add, codec, context, counters, memoryStore } from '../counters.fixtures.js';
import { Aggregates } from '../aggregates.js';
import { BrokenHistory, NO_FAULTS, type HistoryFault } from '../history.js';
import type { EventCodec } from '../event-codec.js';
import { emptyStream } from './aggregate.js';
import { NO_SNAPSHOTS, SnapshotFolder, type Snapshot } from './snapshots.js';
import { StreamFolder, type Folder } from './stream-folder.js';
import { NO_KNOWLEDGE } from './stream-knowledge.js';
import { checkTruncation } from './truncation.js';
import { override } from '../testing/override.js';

const versioned = { ...counters, stateVersion: 1 };
type Ports = { readonly store: ReturnType<typeof memoryStore>['store']; readonly codec: EventCodec };

const plain = (ports: Ports): Folder => new StreamFolder(ports.store, ports.codec, NO_FAULTS);
const withSnapshots = (ports: Ports): Folder => {
  const stored = new Map<string, Snapshot>();
  const read = async (stream: string): Promise<Snapshot | null> => stored.get(stream) ?? null;
  const write = (stream: string, snapshot: Snapshot): void => void stored.set(stream, snapshot);
  return new SnapshotFolder(plain(ports), ports.store, ports.codec, { read, write });
};

// Each folder that wraps another one keeps its promises.
describe.each<[string, (ports: Ports) => Folder]>([
  ['from the start', plain],
  ['from snapshots', withSnapshots],
  ['without snapshots', (ports) => new SnapshotFolder(plain(ports), ports.store, ports.codec, NO_SNAPSHOTS)],
  ['with a check for truncation', (ports) => checkTruncation(plain(ports), { ...ports, writers: 'this process', knowledge: NO_KNOWLEDGE })],
])('a folder %s', (_, create) => {
  const given = async (count: number, changed: Partial<EventCodec> = {}) => {
    const { store } = memoryStore();
    const aggregates = new Aggregates(store, codec);
    for (let nth = 0; nth < count; nth++) await aggregates.handle(versioned, '1', add(1e9), context);
    return { store, folder: create({ store, codec: override(codec, changed) }) };
  };

  it.each([0, 1, 99, 100, 101, 250, 1_100])('folds a stream of %d events, also when it is folded again', async (count) => {
    const { folder } = await given(count);
    const expected = { state: { count }, end: { revision: count === 0 ? 'none' : count - 1 } };
    expect(await folder.foldAll(versioned, 'counter-1')).toMatchObject(expected);
    expect(await folder.foldAll(versioned, 'counter-1')).toMatchObject(expected);
  });

  it('folds the events after a loaded stream', async () => {
    const { store, folder } = await given(120);
    const start = folder.fold(versioned, emptyStream(versioned), await store.readStream('counter-1', 0, 50));
    expect(start).toMatchObject({ state: { count: 50 }, end: { revision: 49 } });
    expect(await folder.foldRest(versioned, 'counter-1', start)).toEqual(await folder.foldAll(versioned, 'counter-1'));
  });

  it('rejects an altered event', async () => {
    const fault: HistoryFault = { stream: 'counter-1', revision: 1, kind: 'altered', reason: 'altered', tenant: null };
    const verify: EventCodec['verify'] = ({ revision }) => {
      if (revision === 1) throw new BrokenHistory(fault);
      return '';
    };
    const { folder } = await given(3, { verify });
    await expect(folder.foldAll(versioned, 'counter-1')).rejects.toThrow(BrokenHistory);
  });
});

describe('a truncated stream', () => {
  it('is rejected, because a read model shows later events', async () => {
    const { store } = memoryStore();
    await new Aggregates(store, codec).handle(counters, '1', add(9), context);
    const knowledge = { faults: NO_FAULTS, readModelRevision: async () => 3 };
    const folder = checkTruncation(plain({ store, codec }), { store, writers: 'this process', knowledge });
    await expect(folder.foldAll(counters, 'counter-1')).rejects.toThrow('event 1 of counter-1 is missing');
  });
});
