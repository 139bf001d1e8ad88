import type { Collection } from '../../../eventsourcing/ports/documents.port.js';
import type { Database } from '../folder/database.js';
import { tableNameOf } from './declared-sql.js';

const READ = 'SELECT position FROM checkpoints WHERE name = ?';
const STORE =
  'INSERT INTO checkpoints (name, position, following) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE SET position = excluded.position, following = excluded.following';
/** The position of a collection that must be rebuilt. */
const INVALID = -1;
const INVALIDATE = `UPDATE checkpoints SET position = ${INVALID}, following = 0 WHERE name = ?`;
const DELETE = 'DELETE FROM checkpoints WHERE name = ?';
const RENAME = 'UPDATE checkpoints SET name = ? WHERE name = ?';
const FOLLOWING = 'SELECT name FROM checkpoints WHERE following = ?';
/**
 * The values of the column `following`: a projection that no append updates, one that each append updates, and one that an operator has
 * paused. A release that knows no pauses takes the last for the first, and goes on projecting.
 */
const [BEHIND, INLINE, PAUSED] = [0, 1, 2];

const STORED = 'SELECT position, following FROM checkpoints WHERE name = ?';

/** Returns the position of a reader in a file that no process needs to have open. `head` is the position of the last event. */
export const positionIn = (database: Pick<Database, 'statement'>, name: string, head: number): number => {
  const row = database.statement(STORED).get(name);
  return row?.['following'] === INLINE ? head : Math.max(0, Number(row?.['position'] ?? 0));
};

/**
 * The positions of readers of the log. A projection that has caught up is inline (column `following`): every append updates
 * its read model. Its position is therefore always the end of the log, and appends do not store this position.
 */
export class Checkpoints {
  private readonly inline = new Set<string>();
  private readonly paused = new Set<string>();
  private readonly inlineNames: Set<string>;

  /**
   * `inlineNames` are the projections of this process. Other projections in the file, for example those of another release, are
   * not updated by this process, so they stop being inline. The end of the log is stored as their position.
   */
  constructor(
    private readonly database: Database,
    private readonly head: () => number,
    inlineNames: ReadonlySet<string>,
  ) {
    this.inlineNames = new Set(inlineNames);
    const namesWith = (following: number): readonly string[] =>
      database
        .statement(FOLLOWING)
        .all(following)
        .map((row) => String(row['name']));
    for (const name of namesWith(PAUSED)) this.paused.add(name);
    for (const name of namesWith(INLINE)) {
      if (inlineNames.has(name)) this.inline.add(name);
      else database.statement(STORE).run(name, head(), BEHIND);
    }
  }

  /** Lets appends update one more projection once it has caught up. */
  add(name: string): void {
    this.inlineNames.add(name);
  }

  /** Lets no append update a projection any more. Its stored position is no longer valid. */
  remove(name: string): void {
    this.inlineNames.delete(name);
    this.inline.delete(name);
    this.paused.delete(name);
  }

  /** Returns the position of the last event that the reader has handled. Returns 0 for a new reader, and if INVALID is stored. */
  position(name: string): number {
    return this.inline.has(name) ? this.head() : Math.max(0, this.storedPosition(name));
  }

  /** Returns whether the file has a position of the reader. */
  has(name: string): boolean {
    return this.database.statement(READ).get(name) !== undefined;
  }

  /** Returns the position in the file, which appends do not move. */
  storedPosition(name: string): number {
    return Number(this.database.statement(READ).get(name)?.['position'] ?? 0);
  }

  isInline(name: string): boolean {
    return this.inline.has(name);
  }

  isPaused(name: string): boolean {
    return this.paused.has(name);
  }

  /** Returns whether appends will update this projection once it has caught up. */
  canBeInline(name: string): boolean {
    return this.inlineNames.has(name);
  }

  /** Returns whether a projection of this process has caught up. */
  hasReachedEnd(name: string): boolean {
    return this.inlineNames.has(name) && !this.paused.has(name) && this.position(name) === this.head();
  }

  /** Deletes a position within the open or recorded transaction. */
  delete(name: string): void {
    this.database.write(DELETE, name);
  }

  /** Renames a stored position within the open or recorded transaction. */
  rename(from: string, to: string): void {
    this.database.write(RENAME, to, from);
  }

  /**
   * Marks a collection within the open or recorded transaction, so that the next process that opens the collection rebuilds it. Call this
   * method when the new version of a projection has written to the collection of the old version (see fallbacks.ts). If an
   * older release is started again, its projection cannot continue from such documents.
   */
  invalidate(collection: Collection): void {
    this.database.write(INVALIDATE, tableNameOf(collection));
  }

  isInvalid(collection: Collection): boolean {
    return this.storedPosition(tableNameOf(collection)) === INVALID;
  }

  /** Stores a position within the open or recorded transaction. Returns whether the projection is inline from now on. */
  store(name: string, position: number): boolean {
    const isInline = this.inlineNames.has(name) && !this.paused.has(name) && position === this.head();
    this.database.write(STORE, name, position, isInline ? INLINE : this.paused.has(name) ? PAUSED : BEHIND);
    return isInline;
  }

  /**
   * Stores within the open or recorded transaction that no append updates a projection until it is resumed. Its position is then the
   * end of the log, if it was inline. Call `setPaused` after the commit.
   */
  storePause(name: string): void {
    this.database.write(STORE, name, this.position(name), PAUSED);
  }

  /** Stores within the open or recorded transaction that a projection is no longer paused. Call `setPaused` after the commit. */
  storeResumption(name: string): void {
    this.database.write(STORE, name, this.position(name), BEHIND);
  }

  /** Applies `storePause` or `storeResumption` in memory, after the commit. */
  setPaused(name: string, isPaused: boolean): void {
    if (isPaused) this.paused.add(name);
    else this.paused.delete(name);
    if (isPaused) this.inline.delete(name);
  }

  /** Applies the result of `store` in memory. Call this method after the commit. */
  setInline(name: string, isInline: boolean): void {
    if (isInline) this.inline.add(name);
    else this.inline.delete(name);
  }
}
