import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { DocumentChanges, DocumentFollower } from '../../../eventsourcing/ports/document-changes.port.js';
import type { Fields } from '../../../eventsourcing/ports/documents.port.js';
import { yieldToEventLoop } from '../../../eventsourcing/scheduling/yield-to-event-loop.js';
import { quote } from '../documents/declared-sql.js';
import { isDamaged, type Row } from '../documents/row-checksum.js';
import type { SearchedTable } from './search-messages.js';

/** Rows per read while documents are loaded. Between two reads, the thread does its other work. */
const BATCH = 1_000;

type Followed = {
  /** The name of the table now. */
  name: string;
  readonly of: SearchedTable;
  readonly follower: DocumentFollower;
  /** The documents that have changed while others were loaded. Null once all are loaded. */
  changed: Set<string> | null;
  readonly end: (failure?: unknown) => void;
};

/**
 * The documents of a folder. The main thread names the keys of each commit, and their rows are read again, so it does not matter if the
 * commit was rolled back. Each message of the main thread is handled before the next question, so positions are not compared.
 */
export class FolderChanges implements DocumentChanges<SearchedTable> {
  private readonly database: DatabaseSync;
  private readonly statements = new Map<string, StatementSync>();
  private readonly followed = new Set<Followed>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  async follow(of: SearchedTable, follower: DocumentFollower): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const end = (failure?: unknown): void => (failure === undefined ? resolve() : reject(failure));
    const followed: Followed = { name: of.name, of, follower, changed: new Set(), end };
    this.followed.add(followed);
    try {
      await Promise.race([promise, this.load(followed)]);
      await promise;
    } finally {
      this.followed.delete(followed);
    }
  }

  /** Returns the rows of a SELECT. */
  rows(sql: string, values: readonly (string | number | bigint | null | NodeJS.ArrayBufferView)[]): readonly Row[] {
    return this.statement(sql).all(...values);
  }

  onChanged(table: string, keys: readonly string[]): void {
    for (const followed of this.followed) {
      if (followed.name !== table) continue;
      if (followed.changed) for (const key of keys) followed.changed.add(key);
      else
        try {
          this.refresh(followed, keys);
        } catch (error) {
          followed.end(error);
        }
    }
  }

  onReplaced(table: string): void {
    for (const followed of this.followed) if (followed.name === table) followed.end();
  }

  onRenamed(from: string, to: string): void {
    this.onReplaced(to);
    for (const followed of this.followed) if (followed.name === from) followed.name = to;
  }

  /** Reads all documents, each read in a transaction of its own: the connection must see the commits meanwhile. */
  private async load(followed: Followed): Promise<void> {
    const { follower } = followed;
    for (let last = ''; ; await yieldToEventLoop()) {
      if (!this.followed.has(followed)) return;
      let count = 0;
      for (const { key, fields } of this.read(followed, `key > ? ORDER BY key LIMIT ${BATCH}`, last)) {
        follower.load(key, fields);
        last = key;
        count++;
      }
      if (count < BATCH) break;
    }
    follower.loaded();
    const changed = [...(followed.changed ?? [])];
    followed.changed = null;
    this.refresh(followed, changed);
    follower.reach(0);
  }

  private refresh(followed: Followed, keys: readonly string[]): void {
    for (const key of keys) {
      const [row] = this.read(followed, 'key = ?', key);
      followed.follower.change(key, row?.fields ?? null);
    }
  }

  /** Reads rows one after the other, so that their JSON is free again at once. Throws if one is damaged. */
  private *read({ name, of }: Followed, condition: string, key: string): Generator<{ readonly key: string; readonly fields: Fields }> {
    for (const row of this.statement(`SELECT ${of.columns} FROM ${quote(name)} WHERE ${condition}`).iterate(key)) {
      if (isDamaged(of.fieldNames, row)) throw new Error(`the row ${JSON.stringify(row['key'])} is damaged`);
      yield { key: row['key'] as string, fields: row as Fields };
    }
  }

  private statement(sql: string): StatementSync {
    const prepared = this.statements.get(sql) ?? this.database.prepare(sql);
    this.statements.set(sql, prepared);
    return prepared;
  }
}
