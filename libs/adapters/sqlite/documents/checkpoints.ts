import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import type { Database } from '../folder/database.js';
import { tableNameOf } from './declared-sql.js';

const READ = 'SELECT position FROM checkpoints WHERE name = ?';
const MOVE =
  'INSERT INTO checkpoints (name, position, following) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position, following = excluded.following';
/** Stands for a position in a collection that cannot be gone on with. */
const SPOILT = -1;
const SPOIL = `UPDATE checkpoints SET position = ${SPOILT}, following = 0 WHERE name = ?`;
const FORGET = 'DELETE FROM checkpoints WHERE name = ?';
const FOLLOWING = 'SELECT name FROM checkpoints WHERE following = 1';

/**
 * How far readers of the log have come. A reader that follows the log changes within every append, so that its position
 * is the log's own and costs the append nothing to store.
 */
export class Checkpoints {
  private readonly following = new Set<string>();

  /** `followers` are the readers that this process carries along; any other reader stays at `head` from now on. */
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

  /** The position of the last event the reader has dealt with, 0 when it has none. */
  position(name: string): number {
    return this.following.has(name) ? this.head() : Math.max(0, Number(this.database.statement(READ).get(name)?.['position'] ?? 0));
  }

  isFollowing(name: string): boolean {
    return this.following.has(name);
  }

  /** Whether appends carry this reader along once it has read everything. */
  willFollow(name: string): boolean {
    return this.followers.has(name);
  }

  /** Whether a reader that appends could carry along has read everything. */
  isAtTheEnd(name: string): boolean {
    return this.followers.has(name) && this.position(name) === this.head();
  }

  /** Forgets a position within the open transaction. */
  forget(name: string): void {
    this.database.statement(FORGET).run(name);
  }

  /**
   * Notes, within the open transaction, that another version has written a collection's documents: its own projection
   * cannot go on from them.
   */
  spoil(collection: Collection): void {
    this.database.statement(SPOIL).run(tableNameOf(collection));
  }

  isSpoilt(collection: Collection): boolean {
    return this.database.statement(READ).get(tableNameOf(collection))?.['position'] === SPOILT;
  }

  /** Stores a position within the open transaction; answers whether the reader follows the log from there on. */
  move(name: string, position: number): boolean {
    const follows = this.followers.has(name) && position === this.head();
    this.database.statement(MOVE).run(name, position, follows ? 1 : 0);
    return follows;
  }

  /** To be called once what `move` answered is on the disk. */
  moved(name: string, follows: boolean): void {
    if (follows) this.following.add(name);
    else this.following.delete(name);
  }
}
