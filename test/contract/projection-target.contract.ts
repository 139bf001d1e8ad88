import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Collection, Documents, StoredDocument } from '../../libs/eventsourcing/ports/documents.port.js';
import { NO_CHANGES, type ProjectionTarget, type ReadModelChange } from '../../libs/eventsourcing/projecting.js';
import { LeasedTarget } from '../../libs/runtime/projecting/leased-target.js';
import { PARKED_STREAMS } from '../../libs/runtime/projecting/parked-streams.js';
import type { LeasedDocumentsUnderTest } from './leased-documents.contract.js';

export type TargetUnderTest = {
  readonly documents: Documents;
  /** Opens a target for the collection, as a process does that takes it over. */
  readonly open: () => Promise<ProjectionTarget>;
  /** Makes the target refuse a change, and returns the change to refuse. */
  readonly refuse: (change: ReadModelChange) => Promise<ReadModelChange>;
  readonly close: () => Promise<void>;
};

/** The read model that is written. */
export const things: Collection = {
  name: 'things',
  version: 1,
  fields: { tenant: 'text', kind: 'text' },
  indexes: [],
  cells: ['tenant', 'kind'],
};

const thing = (key: string, kind: string, revision = 0): StoredDocument => ({
  key,
  json: `"${kind}"`,
  fields: { tenant: 't', kind },
  revision,
});
const parked = (stream: string) => ({ stream, revision: 1, position: 2, reason: 'it cannot be applied' });
const at = (position: number) => ({ position, event: { stream: 'thing-a', revision: 0, id: 'event-1' } });

/** Adds a thing, parks the stream of another, and moves the position. */
const FIRST: ReadModelChange = {
  ...NO_CHANGES,
  collection: things,
  writes: [
    { kind: 'put', collection: things, document: thing('a', 'cup') },
    { kind: 'increment', collection: things, cell: ['t', 'cup'], by: 1 },
  ],
  parked: [parked('thing-b')],
  reached: at(3),
};

/** The contract of a projection's target: what a read model changes by stays together. */
export const projectionTargetContract = (name: string, make: () => Promise<TargetUnderTest>): void => {
  describe(`the target of a projection in ${name}`, () => {
    let under: TargetUnderTest;
    let target: ProjectionTarget;
    beforeEach(async () => {
      under = await make();
      target = await under.open();
    });
    afterEach(() => under.close());

    const get = async (from: ProjectionTarget, key: string): Promise<StoredDocument | null> => {
      expect(await from.load(things, [key])).toBe(true);
      return from.get(things, key);
    };
    const stateOf = async (from: ProjectionTarget) => ({
      at: await from.position(things),
      a: (await get(from, 'a'))?.json ?? null,
      parked: from.parkedStreams(things).map(({ stream }) => stream),
      cells: await under.documents.sum(things, {}, 'kind'),
    });
    const NOTHING = { at: 0, a: null, parked: [], cells: {} };

    it('has nothing at first', async () => {
      expect([await stateOf(target), target.isParked(things, 'thing-b')]).toEqual([NOTHING, false]);
    });

    it('stores documents, counters, parked streams and the position, also for the next process', async () => {
      await target.store([FIRST]);
      const stored = { at: 3, a: '"cup"', parked: ['thing-b'], cells: { cup: 1 } };
      expect([await stateOf(target), target.isParked(things, 'thing-b'), target.isParked(things, 'thing-a')]).toEqual([
        stored,
        true,
        false,
      ]);
      const next = await under.open();
      expect(await stateOf(next)).toEqual(stored);
      expect(next.parkedStreams(things)).toEqual([expect.objectContaining(parked('thing-b'))]);
    });

    it('stores a change without a position, and leaves the position as it is', async () => {
      await target.store([FIRST]);
      await target.store([{ ...NO_CHANGES, collection: things, released: ['thing-b'], parked: [parked('thing-c')], reached: null }]);
      await target.store([{ ...NO_CHANGES, collection: things, parked: [parked('thing-d')], reached: null }]);
      expect(await stateOf(await under.open())).toEqual({ at: 3, a: '"cup"', parked: ['thing-c', 'thing-d'], cells: { cup: 1 } });
      expect(['thing-b', 'thing-c', 'thing-d'].map((stream) => target.isParked(things, stream))).toEqual([false, true, true]);
    });

    it('returns documents as the last change has left them', async () => {
      await target.store([FIRST]);
      const changed = { kind: 'put', collection: things, document: thing('a', 'mug', 1) } as const;
      await target.store([{ ...NO_CHANGES, collection: things, writes: [changed], reached: at(4) }]);
      expect(await get(target, 'a')).toEqual(thing('a', 'mug', 1));
      await target.store([
        { ...NO_CHANGES, collection: things, writes: [{ kind: 'delete', collection: things, key: 'a' }], reached: at(5) },
      ]);
      expect([await get(target, 'a'), await target.position(things)]).toEqual([null, 5]);
    });

    /** Proves contract 43.8. */
    it('replaces a document by an earlier one, and counts both', async () => {
      await target.store([FIRST]);
      const later = { kind: 'put', collection: things, document: thing('a', 'mug', 7) } as const;
      await target.store([{ ...NO_CHANGES, collection: things, writes: [later], reached: at(4) }]);
      const counts = [-1, 1].map((by) => ({ kind: 'increment', collection: things, cell: ['t', 'cup'], by }) as const);
      const earlier = { kind: 'put', collection: things, document: thing('a', 'cup', 0) } as const;
      await target.store([
        { ...NO_CHANGES, collection: things, writes: [...counts, earlier], parked: [parked('thing-a')], released: [], reached: null },
      ]);
      const next = await under.open();
      expect(await stateOf(next)).toEqual({ at: 4, a: '"cup"', parked: ['thing-a', 'thing-b'], cells: { cup: 1 } });
      expect(await get(next, 'a')).toEqual(thing('a', 'cup', 0));
    });

    it('stores nothing of a change that is refused', async () => {
      await target.store([FIRST]);
      const before = await stateOf(target);
      const change = await under.refuse({
        ...FIRST,
        writes: [{ kind: 'put', collection: things, document: thing('a', 'bowl', 1) }, ...FIRST.writes.slice(1)],
        parked: [parked('thing-c')],
        released: ['thing-b'],
        reached: at(9),
      });
      await expect(target.store([change])).rejects.toThrow();
      expect([await stateOf(target), target.isParked(things, 'thing-c')]).toEqual([before, false]);
    });
  });
};

/** Makes targets that write under one lease. A change is refused after the lease was released. */
export const leasedTargetOn = async ({ documents, leases, close }: LeasedDocumentsUnderTest): Promise<TargetUnderTest> => {
  for (const collection of [PARKED_STREAMS, things]) await documents.prepare(collection);
  const lease = await leases.acquire('projection', 'one', 600_000);
  if (!lease) throw new Error('the lease has another owner');
  return {
    documents,
    open: () => LeasedTarget.open({ documents, collection: things, lease, onParked: () => undefined }),
    refuse: (change) => leases.release(lease).then(() => change),
    close,
  };
};
