import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import type { Database } from '../folder/database.js';
import { tableNameOf } from './declared-sql.js';

const READ = 'SELECT position FROM checkpoints WHERE name = ?';
const MOVE =
  'INSERT INTO checkpoints (name, position, following) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position, following = excluded.following';
/** The position of a collection that cannot be continued. */
const SPOILT = -1;
const SPOIL = `UPDATE checkpoints SET position = ${SPOILT}, following = 0 WHERE name = ?`;
const FORGET = 'DELETE FROM checkpoints WHERE name = ?';
const FOLLOWING = 'SELECT name FROM checkpoints WHERE following = 1';

/**
 * The positions of readers of the log. An inline projection is updated within every append, so its position
 * is that of the log, and an append need not store it.
 */
export class Checkpoints {
  private readonly following = new Set<string>();

  /** `followers` are the projections of this process. Any other inline one stays at `head` from now on. */
  constructor(
    private readonly database: Database,
    private readonly head: () => number,
    private readonly followers: ReadonlySet<string>,
  ) {
    const stored = database.statement(FOLLOWING).all();
    for (const name of stored.map((row) => String(row['name']))) {
      if (followers.has(name)) this.following.add(name);
      else database.statement(MOVE).run(name, head(), 0);
    }
  }

  /** Returns the position of the last event that the reader has handled, or 0. */
  position(name: string): number {
    return this.following.has(name) ? this.head() : Math.max(0, Number(this.database.statement(READ).get(name)?.['position'] ?? 0));
  }

  isFollowing(name: string): boolean {
    return this.following.has(name);
  }

  /** Returns whether appends will update this projection once it has caught up. */
  willFollow(name: string): boolean {
    return this.followers.has(name);
  }

  /** Returns whether a projection of this process has caught up. */
  isAtTheEnd(name: string): boolean {
    return this.followers.has(name) && this.position(name) === this.head();
  }

  /** Deletes a position within the open transaction. */
  forget(name: string): void {
    this.database.statement(FORGET).run(name);
  }

  /**
   * Marks a collection, within the open transaction, as written by another version: its own projection cannot
   * continue from these documents.
   */
  spoil(collection: Collection): void {
    this.database.statement(SPOIL).run(tableNameOf(collection));
  }

  isSpoilt(collection: Collection): boolean {
    return this.database.statement(READ).get(tableNameOf(collection))?.['position'] === SPOILT;
  }

  /** Stores a position within the open transaction. Returns whether the projection is inline from now on. */
  move(name: string, position: number): boolean {
    const follows = this.followers.has(name) && position === this.head();
    this.database.statement(MOVE).run(name, position, follows ? 1 : 0);
    return follows;
  }

  /** Applies the result of `move` in memory. Call it when the transaction is committed. */
  moved(name: string, follows: boolean): void {
    if (follows) this.following.add(name);
    else this.following.delete(name);
  }
}
