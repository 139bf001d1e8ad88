import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Collection, DocumentWrite, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { EncodedEvent, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../eventsourcing/event-codec.js';
import { aggregateIdOf, type RecordedEvent } from '../../eventsourcing/message.js';
import type { ParkedStream, Projector } from '../../eventsourcing/projection.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import { manualClock, type ManualClock } from '../../eventsourcing/testing/manual-clock.js';
import { openSqlite, type SqliteStore, type SqliteOptions } from './open-sqlite.js';
import type { Log } from '../../eventsourcing/ports/log.port.js';

/** Returns a path for a folder, which does not exist yet, and a function that removes the folder. */
export const temporaryFolder = (): { readonly folder: string; readonly remove: () => void } => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-'));
  return { folder: join(folder, 'data'), remove: () => rmSync(folder, { recursive: true, force: true }) };
};

const TIMEOUT_MILLISECONDS = 20_000;

/** Waits until the condition is met. Another thread does the work. */
export const eventually = async (isMet: () => boolean | Promise<boolean>): Promise<void> => {
  for (const until = performance.now() + TIMEOUT_MILLISECONDS; performance.now() < until; await yieldToEventLoop())
    if (await isMet()) return;
  throw new Error('the condition was not met in time');
};

/** A line that the service has logged. */
export type Line = { readonly level: keyof Log; readonly fields: object; readonly message: string };

/** Creates a log that records its lines. */
export const recordingLog = (): Log & { readonly lines: readonly Line[] } => {
  const lines: Line[] = [];
  const at =
    (level: keyof Log) =>
    (fields: object, message: string): void =>
      void lines.push({ level, fields, message });
  return { lines, info: at('info'), warn: at('warn'), error: at('error') };
};

let eventCount = 0;

/** Creates an encoded event with a new id. */
export const event = (type: string, data: unknown = null, tenant = 'shared'): EncodedEvent => ({
  id: `00000000-0000-7000-8000-${(++eventCount).toString(16).padStart(12, '0')}`,
  type,
  data: JSON.stringify(data),
  metadata: JSON.stringify({ tenant }),
});

/** Decodes an event. Throws on the type `Unreadable`. */
export const decode = ({ stream, revision, position, id, type, data, metadata }: StoredEvent): RecordedEvent => {
  if (type === 'Unreadable') throw new Error('cannot decode this');
  const { tenant } = JSON.parse(metadata) as { tenant: string };
  const meta = { stream, revision, tenant, time: '2026-01-02T03:04:05.678Z', actor: 'test', correlationId: 'c', causationId: 'c' };
  return { id, position, type, data: JSON.parse(data) as unknown, meta };
};

/** A codec without verification: these tests do not alter the history. */
export const codec: ReadCodec = { verify: () => '', hashOf: () => '', decode, skippedRevisions: () => [] };

export const things: Collection = {
  name: 'things',
  version: 1,
  fields: { tenant: 'text', kind: 'text' },
  indexes: [['tenant', 'kind']],
  cells: ['tenant', 'kind'],
};

export type ThingsOptions = {
  readonly collection?: Collection;
  readonly category?: string;
  /** Event types that the projector cannot apply, so that it parks their streams. A test may change the set. */
  readonly poison?: Set<string>;
  /** Event types for which the projector returns a write that no table accepts. */
  readonly unwritable?: Set<string>;
};

/** Creates a projector that writes documents and cells from the events `Made {kind}` and `Changed {kind}`. */
export const thingsProjector = (options: ThingsOptions = {}): Projector => {
  const { collection = things, category = 'thing', poison = new Set(['Poison']), unwritable = new Set(['Unwritable']) } = options;
  return {
    name: collection.name,
    version: collection.version,
    category,
    collection,
    project(events, load, isParked) {
      const documents = new Map<string, { before: StoredDocument | null; after: StoredDocument | null }>();
      const parked = new Map<string, ParkedStream>();
      for (const { type, data, position, meta } of events) {
        const { stream, revision, tenant } = meta;
        if (!stream.startsWith(`${category}-`) || parked.has(stream) || isParked(stream)) continue;
        if (poison.has(type)) {
          parked.set(stream, { stream, revision, position, reason: `cannot take ${type}` });
          continue;
        }
        const key = aggregateIdOf(stream);
        let draft = documents.get(key);
        if (!draft) {
          const before = load(key);
          documents.set(key, (draft = { before, after: before }));
        }
        if (revision <= (draft.after?.revision ?? -1)) continue;
        const { kind } = data as { kind: string };
        const json = unwritable.has(type) ? (null as unknown as string) : JSON.stringify({ kind, revision });
        draft.after = { key, json, revision, fields: { tenant, kind } };
      }
      const writes = [...documents.values()].flatMap(({ before, after }): DocumentWrite[] => [
        ...(before && before !== after ? [increment(collection, before, -1)] : []),
        ...(after && before !== after ? [{ kind: 'put', collection, document: after } as const, increment(collection, after, 1)] : []),
      ]);
      return { writes, parked: [...parked.values()] };
    },
    removalWrites: (document) => [{ kind: 'delete', collection, key: document.key }, increment(collection, document, -1)],
  };
};

const increment = (collection: Collection, { fields }: StoredDocument, by: number): DocumentWrite => ({
  kind: 'increment',
  collection,
  cell: collection.cells.map((name) => fields[name] ?? null),
  by,
});

export type OpenForTest = SqliteStore & { readonly clock: ManualClock; readonly lines: readonly Line[] };

/** Opens an embedded store with a manual clock. */
export const openForTest = async (directory: string, options: Partial<SqliteOptions> = {}): Promise<OpenForTest> => {
  const clock = manualClock();
  const log = recordingLog();
  return { ...(await openSqlite({ directory, projectors: [], codec, clock, log, ...options })), clock, lines: log.lines };
};

/** Appends events to the end of a stream. */
export const append = async ({ events }: Pick<SqliteStore, 'events'>, stream: string, ...added: readonly EncodedEvent[]): Promise<void> => {
  const last = (await events.readStream(stream)).at(-1)?.revision ?? 'none';
  const result = await events.append(stream, last, added);
  if (result.kind !== 'appended') throw new Error(`${stream} is at ${result.actual}`);
};
