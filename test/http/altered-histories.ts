import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createCodec, type EventDeclaration } from '../../libs/runtime/codec/codec.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import type { Clock } from '../../libs/eventsourcing/ports/clock.port.js';
import type { EncodedEvent, StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';

/** An alteration of a stream of three events. `kind` is the resulting value of `history` in /health/ready. */
export type Alteration = {
  readonly name: string;
  readonly kind: 'altered' | 'unreadable';
  readonly apply: (database: DatabaseSync, stream: string) => Promise<void> | void;
};

const runAndExpectChange = (database: DatabaseSync, update: string, ...values: readonly (string | number)[]): void => {
  const { changes } = database.prepare(update).run(...values);
  if (Number(changes) === 0) throw new Error(`nothing was altered by ${update}`);
};

const update =
  (text: string) =>
  (database: DatabaseSync, stream: string): void =>
    runAndExpectChange(database, text, stream);

const whereRevision = (revision: number): string => `WHERE stream = ? AND revision = ${revision}`;

/** Event declarations of later versions of the service: one has a new event type, the other a new schema version. */
const withNewEvent = { ...DOMAIN_EVENTS, PetTeleported: { schemaVersion: 1, upcasters: {} } } as Readonly<Record<string, EventDeclaration>>;
const withNewSchemaVersion = { ...DOMAIN_EVENTS, PetDetailsRevised: { schemaVersion: 3, upcasters: {} } } as Readonly<
  Record<string, EventDeclaration>
>;

const rejectUnexpectedCall = (): never => {
  throw new Error('the event needs no keys and no derived ids');
};

let createdIds = 0;

type Declarations = Readonly<Record<string, EventDeclaration>>;

/** Encodes the next event of a stream with the codec of these declarations. Without `data`, it has those of the last event. */
export const encodeNext = async (
  last: StoredEvent,
  declarations: Declarations,
  type: string,
  data: unknown = JSON.parse(last.data),
  clock: Clock = systemClock,
): Promise<readonly EncodedEvent[]> => {
  const { tenant, hash } = JSON.parse(last.metadata) as { tenant: string; hash: string };
  const keys = { serviceKey: rejectUnexpectedCall, personalKey: rejectUnexpectedCall, destroyPersonalKey: rejectUnexpectedCall };
  const ids = { next: () => `01900000-0000-7000-8000-${String(++createdIds).padStart(12, '0')}`, derived: rejectUnexpectedCall };
  const codec = createCodec(declarations, { keys, ids, clock });
  const context = { tenant, actor: 'later', correlationId: 'later', causationId: 'later' };
  return (await codec.encode(last.stream, { revision: last.revision, hash }, [{ type, data }], context)).encoded;
};

/** Encodes an event that only a later version of the service knows. It is the next event of a pet's stream after `last`. */
export const eventOfALaterVersion = (last: StoredEvent): Promise<readonly EncodedEvent[]> =>
  encodeNext(last, withNewEvent, 'PetTeleported');

/** Returns a function that alters a stream: it appends what `encode` makes of its last event. */
export const appending =
  (encode: (last: StoredEvent) => Promise<readonly EncodedEvent[]>) =>
  async (database: DatabaseSync, stream: string): Promise<void> => {
    const last = database
      .prepare('SELECT * FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1')
      .get(stream) as unknown as StoredEvent;
    for (const { id, type, data, metadata } of await encode(last))
      runAndExpectChange(
        database,
        'INSERT INTO events (position, stream, revision, id, type, metadata, data) SELECT max(position) + 1, ?, ?, ?, ?, ?, ? FROM events',
        stream,
        last.revision + 1,
        id,
        type,
        metadata,
        data,
      );
  };

/** Returns a function that alters a stream: it appends the event that a service with these event declarations would append. */
const appendWith = (declarations: Declarations, type: string) => appending((last) => encodeNext(last, declarations, type));

/** Swaps the data and metadata of the second and the third event. */
const swapEvents = (database: DatabaseSync, stream: string): void => {
  // The join reads both rows before the update. Subqueries would read the first row after its change, and copy one event to both.
  runAndExpectChange(
    database,
    `UPDATE events SET data = other.data, metadata = other.metadata FROM events AS other
     WHERE other.stream = events.stream AND other.revision = 3 - events.revision AND events.stream = ? AND events.revision IN (1, 2)`,
    stream,
  );
};

/** Alterations by someone who has access to the file, but not to the keys and checkpoints. */
export const ALTERATIONS: readonly Alteration[] = [
  {
    name: 'a changed price',
    kind: 'altered',
    apply: update(`UPDATE events SET data = replace(data, '"price":"250.00"', '"price":"1.00"') ${whereRevision(1)}`),
  },
  {
    name: 'a changed tenant',
    kind: 'altered',
    apply: update(`UPDATE events SET metadata = replace(metadata, '"tenant":"', '"tenant":"0') ${whereRevision(2)}`),
  },
  {
    name: 'a changed hash',
    kind: 'altered',
    apply: update(`UPDATE events SET metadata = replace(metadata, '"hash":"', '"hash":"A') ${whereRevision(1)}`),
  },
  {
    name: 'a changed hash of the previous event',
    kind: 'altered',
    apply: update(`UPDATE events SET metadata = replace(metadata, '"previousHash":"', '"previousHash":"A') ${whereRevision(1)}`),
  },
  { name: 'a changed type', kind: 'altered', apply: update(`UPDATE events SET type = 'PetRetired' ${whereRevision(2)}`) },
  {
    name: 'a changed id',
    kind: 'altered',
    apply: update(`UPDATE events SET id = '01900000-0000-7000-8000-ffffffffffff' ${whereRevision(0)}`),
  },
  { name: 'a deleted first event', kind: 'altered', apply: update(`DELETE FROM events ${whereRevision(0)}`) },
  { name: 'a deleted event in the middle', kind: 'altered', apply: update(`DELETE FROM events ${whereRevision(1)}`) },
  { name: 'a deleted last event', kind: 'altered', apply: update(`DELETE FROM events ${whereRevision(2)}`) },
  { name: 'a deleted stream', kind: 'altered', apply: update('DELETE FROM events WHERE stream = ?') },
  { name: 'two swapped events', kind: 'altered', apply: swapEvents },
  { name: 'a renumbered event', kind: 'altered', apply: update(`UPDATE events SET revision = 7 ${whereRevision(2)}`) },
  { name: 'data that is not JSON', kind: 'altered', apply: update(`UPDATE events SET data = 'garbage' ${whereRevision(1)}`) },
  { name: 'metadata that is not JSON', kind: 'altered', apply: update(`UPDATE events SET metadata = 'garbage' ${whereRevision(1)}`) },
  { name: 'truncated data', kind: 'altered', apply: update(`UPDATE events SET data = substr(data, 1, 40) ${whereRevision(2)}`) },
  { name: 'empty metadata', kind: 'altered', apply: update(`UPDATE events SET metadata = '' ${whereRevision(0)}`) },
  { name: 'an event of an unknown type', kind: 'unreadable', apply: appendWith(withNewEvent, 'PetTeleported') },
  { name: 'an event of a newer schema version', kind: 'unreadable', apply: appendWith(withNewSchemaVersion, 'PetDetailsRevised') },
];

/** Alters a stream in the database file of a folder. A running service detects it when it next reads the stream. */
export const alter = async (folder: string, stream: string, { apply }: Alteration): Promise<void> => {
  const database = new DatabaseSync(join(folder, 'petstore.sqlite'), { timeout: 5_000 });
  try {
    await apply(database, stream);
  } finally {
    database.close();
  }
};
