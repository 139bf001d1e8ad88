import type { Collection, Documents, DocumentWrite, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import { checkpointOf } from '../../eventsourcing/ports/documents.port.js';
import type { EventBatch, EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { EventCodec, ReadCodec } from '../../eventsourcing/event-codec.js';
import type { HistoryFault } from '../../eventsourcing/history.js';
import { LeaseLost, type Lease, type Leases } from '../../eventsourcing/ports/leases.port.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import type { ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';

/** Operators have decided nothing. */
export const NO_DECISIONS = { current: () => ({}), isPaused: () => false, onChange: () => () => undefined };

/** Runs all pending promises and callbacks, without advancing a clock. */
export const runPending = async (): Promise<void> => {
  for (let turns = 0; turns < 20; turns++) await yieldToEventLoop();
};

/** Advances the clock in steps of 100 ms. */
export const advanceBy = async (clock: ManualClock, milliseconds: number): Promise<void> => {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    clock.advance(100);
    await yieldToEventLoop();
  }
};

/** Advances the clock in small steps until a condition is met. Throws after 2,000 steps. */
export const advanceUntil = async (clock: ManualClock, what: string, condition: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 2_000 && !condition(); tries++) {
    clock.advance(10);
    await yieldToEventLoop();
  }
  if (!condition()) throw new Error(`gave up waiting for ${what}`);
};

/**
 * Creates a log in memory. `add('thing-1')` appends an event of type Made to the stream `thing-1`, and
 * `add('thing-1:Renamed')` one of type Renamed.
 */
export const createTestLog = () => {
  const events: StoredEvent[] = [];
  let wake = (): void => undefined;
  const add = (...added: readonly string[]): void => {
    for (const name of added) {
      const [stream = '', type = 'Made'] = name.split(':');
      const revision = events.filter((event) => event.stream === stream).length;
      const position = events.length + 1;
      events.push({ id: `event-${position}`, type, data: 'null', metadata: '', stream, revision, position });
    }
    wake();
  };
  const store: Pick<EventStore, 'subscribe' | 'readStream'> = {
    readStream: async (stream, from = 0, limit = 1_000) => events.filter((event) => event.stream === stream).slice(from, from + limit),
    async *subscribe(after, signal): AsyncIterable<EventBatch> {
      for (let position = after; !signal.aborted;) {
        const batch = events.slice(position);
        yield { events: batch, caughtUp: true };
        position += batch.length;
        if (position < events.length) continue;
        await new Promise<void>((resolve) => {
          const others = wake;
          wake = () => {
            others();
            resolve();
          };
          signal.addEventListener('abort', () => resolve());
        });
      }
    },
  };
  return { events, add, store, head: async () => events.length };
};

/** The verifying part of a codec for test logs. It accepts every event. */
export const trustingCodec: Pick<EventCodec, 'verify' | 'hashOf' | 'skippedRevisions'> = {
  verify: () => '',
  hashOf: () => '',
  skippedRevisions: () => [],
};

/** Decodes an event of a test log. */
export const decodeTestEvent = ({ stream, revision, position, id, type }: StoredEvent): RecordedEvent => ({
  id,
  position,
  type,
  data: null,
  meta: { stream, revision, tenant: 'shared', time: '2026-01-02T03:04:05.678Z', actor: 'test', correlationId: 'c', causationId: 'c' },
});

/** The codec of a test log. */
export const testCodec: ReadCodec = { ...trustingCodec, decode: decodeTestEvent };

/** A lookup of broken streams in memory. */
export const memoryFaults = () => {
  const known = new Map<string, HistoryFault>();
  return {
    of: (stream: string) => known.get(stream),
    all: () => [...known.values()],
    record: (fault: HistoryFault) => void known.set(fault.stream, known.get(fault.stream) ?? fault),
    clear: async (stream: string) => void known.delete(stream),
  };
};

/** Leases in memory, on the test's clock. */
export const memoryLeases = (clock: ManualClock) => {
  const stored = new Map<string, { owner: string; fence: number; until: number }>();
  const now = (): number => clock.now().getTime();
  const isCurrent = ({ name, fence }: Lease): boolean => {
    const lease = stored.get(name);
    return lease?.fence === fence && lease.until > now();
  };
  const leases: Leases = {
    async acquire(name, owner, milliseconds) {
      const lease = stored.get(name) ?? { owner, fence: 0, until: 0 };
      const isOwned = lease.until > now();
      if (isOwned && lease.owner !== owner) return null;
      const fence = isOwned ? lease.fence : lease.fence + 1;
      stored.set(name, { owner, fence, until: now() + milliseconds });
      return { name, owner, fence };
    },
    async extend(lease, milliseconds) {
      if (!isCurrent(lease)) return false;
      stored.set(lease.name, { ...lease, until: now() + milliseconds });
      return true;
    },
    async release(lease) {
      if (isCurrent(lease)) stored.set(lease.name, { ...lease, until: 0 });
    },
  };
  return {
    leases,
    isCurrent,
    ownerOf: (name: string): string | null => {
      const lease = stored.get(name);
      return lease && lease.until > now() ? lease.owner : null;
    },
    /** Gives a lease to another owner, permanently. */
    take: (name: string): void =>
      void stored.set(name, { owner: 'another process', fence: (stored.get(name)?.fence ?? 0) + 1, until: Infinity }),
  };
};

const notSupported = (): never => {
  throw new Error('memoryDocuments does not support this call');
};

/** Tables in memory: documents by collection, cells and checkpoints. */
class MemoryTables {
  readonly cells = new Map<string, number>();
  readonly checkpoints = new Map<string, number>();
  private readonly documents = new Map<string, Map<string, StoredDocument>>();

  all(collection: Collection): Map<string, StoredDocument> {
    const found = this.documents.get(checkpointOf(collection)) ?? new Map<string, StoredDocument>();
    this.documents.set(checkpointOf(collection), found);
    return found;
  }

  write(one: DocumentWrite): void {
    if (one.kind === 'put') this.all(one.collection).set(one.document.key, one.document);
    else if (one.kind === 'delete') this.all(one.collection).delete(one.key);
    else {
      const cell = JSON.stringify(one.cell);
      this.cells.set(cell, (this.cells.get(cell) ?? 0) + one.by);
    }
  }

  /** Moves a checkpoint. Returns false if it is already at that position or beyond. */
  moveCheckpoint({ name, position }: { readonly name: string; readonly position: number }): boolean {
    if (position <= (this.checkpoints.get(name) ?? 0)) return false;
    this.checkpoints.set(name, position);
    return true;
  }

  clear(collections: readonly Collection[]): void {
    for (const collection of collections) {
      this.all(collection).clear();
      this.checkpoints.delete(checkpointOf(collection));
    }
    this.cells.clear();
  }
}

/** Documents in memory, without `find`, `page`, `count` and `sum`. `before` runs before each call. */
export const memoryDocuments = (isCurrent: (lease: Lease) => boolean = () => true) => {
  const tables = new MemoryTables();
  const hooks = { before: async (_what: 'get' | 'apply' | 'checkpoint'): Promise<void> => undefined };
  const applied: (readonly DocumentWrite[])[] = [];
  const documents: Documents = {
    prepare: async (collection) => void tables.all(collection),
    async get(collection, key) {
      await hooks.before('get');
      return tables.all(collection).get(key) ?? null;
    },
    find: notSupported,
    page: notSupported,
    async texts(collection, { where }) {
      await hooks.before('get');
      const conditions = Object.entries(where);
      const matching = [...tables.all(collection).values()].filter(({ fields }) =>
        conditions.every(([name, value]) => fields[name] === value),
      );
      return matching.map(({ json }) => json);
    },
    count: notSupported,
    sum: notSupported,
    use: notSupported,
    async apply(writes, checkpoint) {
      await hooks.before('apply');
      if (checkpoint?.lease && !isCurrent(checkpoint.lease)) throw new LeaseLost('another process owns it');
      if (checkpoint && !tables.moveCheckpoint(checkpoint)) return false;
      for (const write of writes) tables.write(write);
      applied.push(writes);
      return true;
    },
    async checkpoint(name) {
      await hooks.before('checkpoint');
      return tables.checkpoints.get(name) ?? 0;
    },
    clear: async (...collections) => tables.clear(collections),
  };
  const jsonOf = (collection: Collection, key: string): string | undefined => tables.all(collection).get(key)?.json;
  const revisionOf = (collection: Collection, key: string): number | undefined => tables.all(collection).get(key)?.revision;
  return { documents, hooks, applied, checkpoints: tables.checkpoints, cells: tables.cells, jsonOf, revisionOf };
};
