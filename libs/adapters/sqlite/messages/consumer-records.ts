import { SHARED_POOL } from '../../../eventsourcing/message.js';
import type { MessagePointer, ParkedKey } from '../../../eventsourcing/ports/messages.port.js';
import type { Database } from '../folder/database.js';

/** A pointer and its place in the log. */
export type LoggedPointer = MessagePointer & { readonly position: number };

/** Some revisions of a stream: from one on, up to another, or whose events stand at or before a position of the log. */
export type Stretch = { readonly from: number; readonly upTo: number; readonly orBefore: number };

const POSITION = 'SELECT position FROM consumers WHERE name = ?';
const MOVE = 'INSERT INTO consumers (name, position) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position';
const PARKED =
  'SELECT consumer, key, revision, reason, parked_at AS parkedAt FROM parked_messages WHERE consumer = ? ORDER BY parked_at, key';
const PARKED_COUNT = 'SELECT count(*) AS count FROM parked_messages WHERE consumer = ?';
const IS_PARKED = 'SELECT 1 FROM parked_messages WHERE consumer = ? AND key = ?';
// A key is a stream's name.
const PARK =
  'INSERT INTO parked_messages (consumer, key, stream, revision, reason, parked_at) VALUES (?, ?, ?, ?, ?, ?) ' +
  'ON CONFLICT DO UPDATE SET revision = excluded.revision, reason = excluded.reason';
const UNPARK = 'DELETE FROM parked_messages WHERE consumer = ? AND key = ?';

/** What consumers read of the log and keep beside it. */
export class ConsumerRecords {
  constructor(private readonly database: Database) {}

  /** The messages of these types after `after` and up to `upTo`; the rest of the log is skipped unread. */
  pointers(after: number, upTo: number, types: readonly string[]): readonly LoggedPointer[] {
    const sql = `SELECT position, stream, revision, type, metadata FROM events WHERE position > ? AND position <= ? AND type IN (${marks(types)}) ORDER BY position`;
    return this.database
      .statement(sql)
      .all(after, upTo, ...types)
      .map(pointerOf);
  }

  /** The first message of a stretch of a stream. */
  next(stream: string, { from, upTo, orBefore }: Stretch, types: readonly string[]): LoggedPointer | null {
    const sql = `SELECT position, stream, revision, type, metadata FROM events WHERE stream = ? AND revision >= ? AND (revision <= ? OR position <= ?) AND type IN (${marks(types)}) ORDER BY revision LIMIT 1`;
    const row = this.database.statement(sql).get(stream, from, upTo, orBefore, ...types);
    return row ? pointerOf(row) : null;
  }

  position(consumer: string): number {
    return Number(this.database.statement(POSITION).get(consumer)?.['position'] ?? 0);
  }

  /** Stores a position within the open transaction. */
  move(consumer: string, position: number): void {
    this.database.write(MOVE, consumer, position);
  }

  /** Stores a position in its own transaction. */
  moveNow(consumer: string, position: number): void {
    this.database.transaction(() => this.move(consumer, position));
  }

  /** The longest waiting first. */
  parked(consumer: string): readonly ParkedKey[] {
    return this.database
      .statement(PARKED)
      .all(consumer)
      .map((row) => ({ ...row }) as unknown as ParkedKey);
  }

  parkedCount(consumer: string): number {
    return Number(this.database.statement(PARKED_COUNT).get(consumer)?.['count']);
  }

  isParked(consumer: string, key: string): boolean {
    return this.database.statement(IS_PARKED).get(consumer, key) !== undefined;
  }

  /** On the disk when it returns. */
  park({ consumer, key, revision, reason, parkedAt }: ParkedKey): void {
    this.database.transaction(() => this.database.statement(PARK).run(consumer, key, key, revision, reason, parkedAt));
  }

  unpark(consumer: string, key: string): void {
    this.database.transaction(() => this.database.statement(UNPARK).run(consumer, key));
  }
}

const marks = (values: readonly string[]): string => values.map(() => '?').join(', ');

const pointerOf = (row: Record<string, unknown>): LoggedPointer => {
  const stream = String(row['stream']);
  const tenant = tenantIn(String(row['metadata']));
  return { position: Number(row['position']), stream, revision: Number(row['revision']), type: String(row['type']), key: stream, tenant };
};

/** The handler of the message reads the event itself, and checks it: garbage is no reason to keep back all others. */
const tenantIn = (metadata: string): string => {
  try {
    return (JSON.parse(metadata) as { readonly tenant?: string }).tenant ?? SHARED_POOL;
  } catch {
    return SHARED_POOL;
  }
};
