import { describe, expect, it } from '@jest/globals';
import { type Added, counters, context, add, memoryStore, encode, codec } from '../counters.fixtures.js';
import { Aggregates } from '../aggregates.js';
import { BrokenHistory } from '../history.js';
import type { EventCodec } from '../event-codec.js';
import type { StoredEvent } from '../ports/event-store.port.js';
import type { Document } from '../projection.js';
import type { Snapshot, Snapshots } from './snapshots.js';
import { NO_KNOWLEDGE } from './stream-knowledge.js';
import { override } from '../testing/override.js';

describe('a long stream', () => {
  const versioned = { ...counters, stateVersion: 1 };
  /** Appends `count` events, and returns what a new process would read. */
  const given = async (count: number) => {
    const { store, streams, reads } = memoryStore();
    const stored = new Map<string, Snapshot>();
    const altered = new Set<number>();
    const snapshots: Snapshots = {
      read: async (stream) => stored.get(stream) ?? null,
      write: (stream, snapshot) => void stored.set(stream, snapshot),
    };
    // The hash of an event is its revision, so that a snapshot belongs to one event.
    const hashing: Partial<EventCodec> = {
      hashOf: ({ stream, revision }: StoredEvent) => {
        if (altered.has(revision)) throw new BrokenHistory({ stream, revision, kind: 'altered', reason: 'altered', tenant: null });
        return String(revision);
      },
      verify: ({ revision }: StoredEvent) => String(revision),
    };
    const encodeHashed: EventCodec['encode'] = async (...call) => {
      const encoded = await codec.encode(...call);
      return { ...encoded, end: { ...encoded.end, hash: String(encoded.end.revision) } };
    };
    const start = (): Aggregates =>
      new Aggregates(store, override(codec, { ...hashing, encode: encodeHashed }), 'this process', undefined, {
        ...NO_KNOWLEDGE,
        snapshots,
      });
    const process = start();
    for (let nth = 0; nth < count; nth++) await process.handle(versioned, '1', add(1e9), context);
    return { streams, stored, altered, reads, start };
  };

  it('is folded from its last snapshot by a new process, with a few reads', async () => {
    const { stored, reads, start } = await given(1_234);
    expect(stored.get('counter-1')?.revision).toBe(1_199);
    const before = reads();
    expect(await start().load(versioned, '1')).toMatchObject({ state: { count: 1_234 }, end: { revision: 1_233, hash: '1233' } });
    expect(reads() - before).toBe(2);
  });

  it('is folded from its start if the event of its snapshot was altered, because that finds the fault', async () => {
    const { altered, reads, start } = await given(1_234);
    altered.add(1_199);
    const before = reads();
    expect(await start().load(versioned, '1')).toMatchObject({ state: { count: 1_234 } });
    expect(reads() - before).toBe(4);
  });

  it('has no snapshot while it is short', async () => expect((await given(150)).stored.size).toBe(0));

  it.each<[string, Partial<Snapshot>]>([
    ['another history', { hash: 'other' }],
    ['another version of the state', { version: '2.0' }],
    ['an event that does not exist', { revision: 9_999 }],
  ])('is folded from its start if its snapshot is of %s', async (_, changes) => {
    const { stored, start } = await given(300);
    stored.set('counter-1', { ...(stored.get('counter-1') as Snapshot), fold: '{"state":{"count":-1}}', ...changes });
    expect(await start().load(versioned, '1')).toMatchObject({ state: { count: 300 } });
    // The fold is stored again, so the next start is fast.
    expect(JSON.parse(stored.get('counter-1')?.fold ?? '')).toMatchObject({ state: { count: 300 } });
  });
});

describe('the document of a stream', () => {
  const projection = {
    name: 'counts',
    version: 3,
    on: {
      Added: (current: Document<{ readonly count: number }> | null, data: Added['data'], { tenant }: { readonly tenant: string }) => {
        if (data.by > 1) throw new Error('too much');
        return { body: { count: (current?.body.count ?? 0) + data.by }, fields: { tenant } };
      },
      Seen: 'ignore',
    },
  };
  const shown = { ...counters, projection };

  it('is folded with the state, after each command and when the stream is loaded', async () => {
    const { store } = memoryStore();
    const aggregates = new Aggregates(store, codec);
    await aggregates.handle(shown, '1', add(9), context);
    const changed = await aggregates.handle(shown, '1', add(9), context);
    const expected = { folded: { document: { body: { count: 2 }, fields: { tenant: 'shared' } }, revision: 1, isParked: false } };
    expect([changed, await new Aggregates(store, codec).load(shown, '1')]).toMatchObject([expected, expected]);
  });

  it.each([
    ['is that before an event that the projection cannot apply', encode('Added', { by: 2 }), { revision: 0, isParked: true }],
    ['is that before an event that the projection does not know', encode('Unknown', { by: 1 }), { revision: 0, isParked: true }],
    ['does not change with an ignored event', encode('Seen', { by: 0 }), { revision: 2, isParked: false }],
  ])('%s', async (_, event, expected) => {
    const { store } = memoryStore();
    const one = encode('Added', { by: 1 });
    await store.append('counter-1', 'none', [one, event, one]);
    const loaded = await new Aggregates(store, codec).load(shown, '1');
    expect(loaded.folded).toMatchObject({ ...expected, document: { body: { count: expected.isParked ? 1 : 2 } } });
  });

  /** Proves contract 43.8. */
  describe('of which operators skip events', () => {
    let revisions: readonly number[] = [];
    const marking = override(codec, {
      decode: (event) => {
        const decoded = codec.decode(event);
        const skippedBy = revisions.includes(event.revision) ? ['counts'] : undefined;
        return { ...decoded, meta: { ...decoded.meta, ...(skippedBy && { skippedBy }) } };
      },
      skippedRevisions: (name) => (name === 'counts' ? revisions : []),
    });
    const [one, two] = [encode('Added', { by: 1 }), encode('Added', { by: 2 })];

    it.each(['this process', 'many processes'] as const)('leaves them out from the next command on if %s writes', async (writers) => {
      revisions = [];
      const { store } = memoryStore();
      await store.append('counter-1', 'none', [one, two, one]);
      const aggregates = new Aggregates(store, marking, writers);
      const load = async () => {
        const { state, folded } = await aggregates.load(shown, '1');
        return { decided: state.count, shown: (folded.document?.body as { count: number }).count, revision: folded.revision };
      };
      expect(await load()).toEqual({ decided: 4, shown: 1, revision: 0 });
      revisions = [1];
      // Decisions know a skipped event.
      expect(await load()).toEqual({ decided: 4, shown: 2, revision: 2 });
      revisions = [];
      expect(await load()).toEqual({ decided: 4, shown: 1, revision: 0 });
    });

    it('uses no snapshot of a fold that has left out others', async () => {
      revisions = [];
      const stored = new Map<string, Snapshot>();
      const snapshots: Snapshots = {
        read: async (stream) => stored.get(stream) ?? null,
        write: (stream, snapshot) => void stored.set(stream, snapshot),
      };
      const { store } = memoryStore();
      await store.append('counter-1', 'none', [...Array.from({ length: 250 }, () => one), two, one]);
      const versioned = { ...shown, stateVersion: 1 };
      const loadAnew = async () => {
        const { folded } = await new Aggregates(store, marking, 'this process', undefined, { ...NO_KNOWLEDGE, snapshots }).load(
          versioned,
          '1',
        );
        return [(folded.document?.body as { count: number }).count, folded.isParked];
      };
      expect([await loadAnew(), stored.size]).toEqual([[250, true], 1]);
      revisions = [250];
      expect([await loadAnew(), await loadAnew()]).toEqual([
        [251, false],
        [251, false],
      ]);
      revisions = [7, 250];
      expect(await loadAnew()).toEqual([250, false]);
    });
  });
});
