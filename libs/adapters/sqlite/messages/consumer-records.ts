import { SHARED_POOL } from '../../../eventsourcing/message.js';
import type { MessagePointer, ParkedKey } from '../../../eventsourcing/ports/messages.port.js';
import type { Database } from '../folder/database.js';

/** A message pointer with the position of its event in the log. */
export type LoggedPointer = MessagePointer & { readonly position: number };

/**
 * Events of a stream from revision `from` on, up to the revision `upTo` or the log position `upToPosition`,
 * whichever is later.
 */
export type WaitingRange = { readonly from: number; readonly upTo: number; readonly upToPosition: number };

const POSITION = 'SELECT position FROM consumers WHERE name = ?';
const STORE_POSITION = 'INSERT INTO consumers (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position';
const PARKED =
  'SELECT consumer, key, revision, reason, parked_at AS parkedAt FROM parked_messages WHERE consumer = ? ORDER BY parked_at, key';
const ALL_PARKED = 'SELECT consumer, key, revision, reason, parked_at AS parkedAt FROM parked_messages ORDER BY parked_at, key';
const PARKED_COUNT = 'SELECT count(*) AS count FROM parked_messages WHERE consumer = ?';
const IS_PARKED = 'SELECT 1 FROM parked_messages WHERE consumer = ? AND key = ?';
// The key of a message is the name of its stream.
const PARK =
  'INSERT INTO parked_messages (consumer, key, stream, revision, reason, parked_at) VALUES (?, ?, ?, ?, ?, ?) ' +
  'ON CONFLICT DO UPDATE SET revision = excluded.revision, reason = excluded.reason';
const UNPARK = 'DELETE FROM parked_messages WHERE consumer = ? AND key = ?';

/** Reads the messages of consumers, and stores their positions and parked keys. */
export class ConsumerRecords {
  constructor(private readonly database: Database) {}

  /** Returns the messages of these types after the position `after` and up to `upTo`. */
  messages(after: number, upTo: number, types: readonly string[]): readonly LoggedPointer[] {
    const sql = `SELECT position, stream, revision, type, metadata FROM events WHERE position > ? AND position <= ? AND type IN (${placeholders(types)}) ORDER BY position`;
    return this.database
      .statement(sql)
      .all(after, upTo, ...types)
      .map(pointerOf);
  }

  /** Returns the first message in a range of a stream, or null. */
  nextWaiting(stream: string, { from, upTo, upToPosition }: WaitingRange, types: readonly string[]): LoggedPointer | null {
    const sql = `SELECT position, stream, revision, type, metadata FROM events WHERE stream = ? AND revision >= ? AND (revision <= ? OR position <= ?) AND type IN (${placeholders(types)}) ORDER BY revision LIMIT 1`;
    const row = this.database.statement(sql).get(stream, from, upTo, upToPosition, ...types);
    return row ? pointerOf(row) : null;
  }

  position(consumer: string): number {
    return Number(this.database.statement(POSITION).get(consumer)?.['position'] ?? 0);
  }

  /** Stores a position within the open or recorded transaction. */
  storePosition(consumer: string, position: number): void {
    this.database.write(STORE_POSITION, consumer, position);
  }

  /** Returns the parked keys in the order in which they were parked. */
  parked(consumer: string): readonly ParkedKey[] {
    return this.database
      .statement(PARKED)
      .all(consumer)
      .map((row) => ({ ...row }) as unknown as ParkedKey);
  }

  /** Returns the parked keys of all consumers, in the order in which they were parked. */
  allParked(): readonly ParkedKey[] {
    return this.database
      .statement(ALL_PARKED)
      .all()
      .map((row) => ({ ...row }) as unknown as ParkedKey);
  }

  parkedCount(consumer: string): number {
    return Number(this.database.statement(PARKED_COUNT).get(consumer)?.['count']);
  }

  isParked(consumer: string, key: string): boolean {
    return this.database.statement(IS_PARKED).get(consumer, key) !== undefined;
  }

  /** Parks a key within the open or recorded transaction. If the key is already parked, `parkedAt` does not change. */
  park({ consumer, key, revision, reason, parkedAt }: ParkedKey): void {
    this.database.write(PARK, consumer, key, key, revision, reason, parkedAt);
  }

  unpark(consumer: string, key: string): void {
    this.database.write(UNPARK, consumer, key);
  }
}

const placeholders = (values: readonly string[]): string => values.map(() => '?').join(', ');

/** Returns the pointer to a row of the table of events. */
export const pointerOf = (row: Readonly<Record<string, unknown>>): LoggedPointer => {
  const stream = String(row['stream']);
  const tenant = tenantIn(String(row['metadata']));
  return { position: Number(row['position']), stream, revision: Number(row['revision']), type: String(row['type']), key: stream, tenant };
};

/**
 * Returns the tenant of an event, or SHARED_POOL for an event without a tenant. Invalid metadata also gives SHARED_POOL and no
 * error, because the handler verifies the event anyway.
 */
const tenantIn = (metadata: string): string => {
  try {
    return (JSON.parse(metadata) as { readonly tenant?: string }).tenant ?? SHARED_POOL;
  } catch {
    return SHARED_POOL;
  }
};
