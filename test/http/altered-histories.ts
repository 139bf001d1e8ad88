import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createCodec, type EventDeclaration } from '../../libs/runtime/codec/codec.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import type { EncodedEvent, StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';

/** A change to a stream of three events, and the kind of `history` that readiness then shows. */
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

const ofRevision = (revision: number): string => `WHERE stream = ? AND revision = ${revision}`;

/** The event declarations of a later version of the service: it has a new event, or a new schema version. */
const withNewEvent = { ...DOMAIN_EVENTS, PetTeleported: { schemaVersion: 1, upcasters: {} } } as Readonly<Record<string, EventDeclaration>>;
const withNewSchemaVersion = { ...DOMAIN_EVENTS, PetDetailsRevised: { schemaVersion: 2, upcasters: {} } } as Readonly<
  Record<string, EventDeclaration>
>;

const rejectPersonalFields = (): never => {
  throw new Error('the event has no personal fields');
};

let made = 0;

type Declarations = Readonly<Record<string, EventDeclaration>>;

/** Encodes the next event of a stream with the codec of these declarations. */
const encodeNext = async (last: StoredEvent, declarations: Declarations, type: string): Promise<readonly EncodedEvent[]> => {
  const { tenant, hash } = JSON.parse(last.metadata) as { tenant: string; hash: string };
  const keys = { serviceKey: rejectPersonalFields, personalKey: rejectPersonalFields, destroyPersonalKey: rejectPersonalFields };
  const ids = { next: () => `01900000-0000-7000-8000-${String(++made).padStart(12, '0')}`, derived: rejectPersonalFields };
  const codec = createCodec(declarations, { keys, ids, clock: { now: () => new Date(), after: () => () => undefined } });
  const context = { tenant, actor: 'later', correlationId: 'later', causationId: 'later' };
  const message = { type, data: JSON.parse(last.data) as unknown };
  return (await codec.encode(last.stream, { revision: last.revision, hash }, [message], context)).encoded;
};

/** The event that a later version of the service appends to a pet's stream. */
export const eventOfALaterVersion = (last: StoredEvent): Promise<readonly EncodedEvent[]> =>
  encodeNext(last, withNewEvent, 'PetTeleported');

const appendedBy =
  (declarations: Declarations, type: string) =>
  async (database: DatabaseSync, stream: string): Promise<void> => {
    const last = database
      .prepare('SELECT * FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1')
      .get(stream) as unknown as StoredEvent;
    for (const { id, data, metadata } of await encodeNext(last, declarations, type))
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

const swap = (database: DatabaseSync, stream: string): void => {
  const column = (name: string): string =>
    `${name} = (SELECT other.${name} FROM events AS other WHERE other.stream = events.stream AND other.revision = 3 - events.revision)`;
  runAndExpectChange(
    database,
    `UPDATE events SET ${column('data')}, ${column('metadata')} WHERE stream = ? AND revision IN (1, 2)`,
    stream,
  );
};

/** Alterations that are possible with access to the file and the SQLite shell. */
export const ALTERATIONS: readonly Alteration[] = [
  {
    name: 'a changed price',
    kind: 'altered',
    apply: update(`UPDATE events SET data = replace(data, '"price":"250.00"', '"price":"1.00"') ${ofRevision(1)}`),
  },
  {
    name: 'a changed tenant',
    kind: 'altered',
    apply: update(`UPDATE events SET metadata = replace(metadata, '"tenant":"', '"tenant":"0') ${ofRevision(2)}`),
  },
  {
    name: 'a changed hash',
    kind: 'altered',
    apply: update(`UPDATE events SET metadata = replace(metadata, '"hash":"', '"hash":"A') ${ofRevision(1)}`),
  },
  {
    name: 'a changed link to the event before',
    kind: 'altered',
    apply: update(`UPDATE events SET metadata = replace(metadata, '"previousHash":"', '"previousHash":"A') ${ofRevision(1)}`),
  },
  { name: 'a changed type', kind: 'altered', apply: update(`UPDATE events SET type = 'PetRetired' ${ofRevision(2)}`) },
  {
    name: 'a changed id',
    kind: 'altered',
    apply: update(`UPDATE events SET id = '01900000-0000-7000-8000-ffffffffffff' ${ofRevision(0)}`),
  },
  { name: 'a deleted first event', kind: 'altered', apply: update(`DELETE FROM events ${ofRevision(0)}`) },
  { name: 'a deleted event in the middle', kind: 'altered', apply: update(`DELETE FROM events ${ofRevision(1)}`) },
  { name: 'a deleted last event', kind: 'altered', apply: update(`DELETE FROM events ${ofRevision(2)}`) },
  { name: 'a deleted stream', kind: 'altered', apply: update('DELETE FROM events WHERE stream = ?') },
  { name: 'two swapped events', kind: 'altered', apply: swap },
  { name: 'a renumbered event', kind: 'altered', apply: update(`UPDATE events SET revision = 7 ${ofRevision(2)}`) },
  { name: 'data that is no JSON', kind: 'altered', apply: update(`UPDATE events SET data = 'garbage' ${ofRevision(1)}`) },
  { name: 'metadata that is no JSON', kind: 'altered', apply: update(`UPDATE events SET metadata = 'garbage' ${ofRevision(1)}`) },
  { name: 'truncated data', kind: 'altered', apply: update(`UPDATE events SET data = substr(data, 1, 40) ${ofRevision(2)}`) },
  { name: 'empty metadata', kind: 'altered', apply: update(`UPDATE events SET metadata = '' ${ofRevision(0)}`) },
  { name: 'an event of an unknown type', kind: 'unreadable', apply: appendedBy(withNewEvent, 'PetTeleported') },
  { name: 'an event of a newer schema version', kind: 'unreadable', apply: appendedBy(withNewSchemaVersion, 'PetDetailsRevised') },
];

/** Alters a stream in the database file of a folder. A running service does not notice it. */
export const alter = async (folder: string, stream: string, { apply }: Alteration): Promise<void> => {
  const database = new DatabaseSync(join(folder, 'petstore.sqlite'), { timeout: 5_000 });
  try {
    await apply(database, stream);
  } finally {
    database.close();
  }
};
