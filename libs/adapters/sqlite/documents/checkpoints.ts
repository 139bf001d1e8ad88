import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import type { Database } from '../folder/database.js';
import { tableNameOf } from './declared-sql.js';

const READ = 'SELECT position FROM checkpoints WHERE name = ?';
const MOVE =
  'INSERT INTO checkpoints (name, position, following) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position, following = excluded.following';
/** The position of a collection that cannot be continued. */
const INVALID = -1;
const INVALIDATE = `UPDATE checkpoints SET position = ${INVALID}, following = 0 WHERE name = ?`;
const FORGET = 'DELETE FROM checkpoints WHERE name = ?';
const FOLLOWING = 'SELECT name FROM checkpoints WHERE following = 1';

/**
 * The positions of readers of the log. An inline projection is updated within every append, so its position
 * is that of the log, and an append need not store it.
 */
export class Checkpoints {
  private readonly inline = new Set<string>();

  /** `followers` are the projections of this process. Any other inline one stays at `head` from now on. */
  constructor(
    private readonly database: Database,
    private readonly head: () => number,
    private readonly inlineNames: ReadonlySet<string>,
  ) {
    const stored = database.statement(FOLLOWING).all();
    for (const name of stored.map((row) => String(row['name']))) {
      if (inlineNames.has(name)) this.inline.add(name);
      else database.statement(MOVE).run(name, head(), 0);
    }
  }

  /** Returns the position of the last event that the reader has handled, or 0. */
  position(name: string): number {
    return this.inline.has(name) ? this.head() : Math.max(0, Number(this.database.statement(READ).get(name)?.['position'] ?? 0));
  }

  isInline(name: string): boolean {
    return this.inline.has(name);
  }

  /** Returns whether appends will update this projection once it has caught up. */
  canBeInline(name: string): boolean {
    return this.inlineNames.has(name);
  }

  /** Returns whether a projection of this process has caught up. */
  hasReachedEnd(name: string): boolean {
    return this.inlineNames.has(name) && this.position(name) === this.head();
  }

  /** Deletes a position within the open transaction. */
  forget(name: string): void {
    this.database.statement(FORGET).run(name);
  }

  /**
   * Marks a collection, within the open transaction, as written by another version: its own projection cannot
   * continue from these documents.
   */
  invalidate(collection: Collection): void {
    this.database.statement(INVALIDATE).run(tableNameOf(collection));
  }

  isInvalid(collection: Collection): boolean {
    return this.database.statement(READ).get(tableNameOf(collection))?.['position'] === INVALID;
  }

  /** Stores a position within the open transaction. Returns whether the projection is inline from now on. */
  move(name: string, position: number): boolean {
    const follows = this.inlineNames.has(name) && position === this.head();
    this.database.statement(MOVE).run(name, position, follows ? 1 : 0);
    return follows;
  }

  /** Applies the result of `move` in memory. Call it when the transaction is committed. */
  moved(name: string, follows: boolean): void {
    if (follows) this.inline.add(name);
    else this.inline.delete(name);
  }
}
