import type { SQLInputValue } from 'node:sqlite';
import type { Collection, DocumentWrite, Find, Scalar, StoredDocument, Where } from '../../../eventsourcing/documents.port.js';
import type { Database } from '../folder/database.js';
import { clauseOf, inCell, NO_VALUE } from './conditions.js';
import { bare, orderOf, quoted, sqlOf } from './declared-sql.js';
import { RecentDocuments } from './recent-documents.js';
import { RememberedAnswers } from './remembered-answers.js';

type TotalsByGroup = Readonly<Record<string, number>>;
type Row = Readonly<Record<string, unknown>>;

/**
 * Reading and writing documents and cells: synchronous, so that they can change within an append's transaction.
 * `asked` says which fields a caller expects of a document that another version of its collection stands in for.
 */
export class DocumentTables {
  private readonly answers = new RememberedAnswers();
  private readonly recent: RecentDocuments;

  constructor(private readonly database: Database) {
    this.recent = new RecentDocuments(database);
  }

  get(collection: Collection, key: string, asked: Collection = collection): StoredDocument | null {
    if (asked !== collection) return this.read(collection, key, asked);
    const { table } = sqlOf(collection);
    const known = this.recent.get(table, key);
    if (known) return known;
    const document = this.read(collection, key, asked);
    if (document) this.recent.keep(table, document);
    return document;
  }

  find(collection: Collection, find: Find, asked: Collection = collection): readonly StoredDocument[] {
    const { sql, values } = this.selection(collection, find, sqlOf(collection).columns);
    return this.database
      .statement(sql)
      .all(...values)
      .map((row) => documentOf(asked, row));
  }

  texts(collection: Collection, find: Find): readonly string[] {
    const { where, sort, limit, offset } = find;
    return this.answers.of(sqlOf(collection).table, where, `page ${sort.join()} ${limit} ${offset}`, () => {
      const { sql, values } = this.selection(collection, find, 'json');
      const rows = this.database.statement(sql).all(...values);
      return rows.map((row) => row['json'] as string);
    });
  }

  count(collection: Collection, where: Where): number {
    const { table, fieldNames } = sqlOf(collection);
    const answer = this.answers.of(table, where, 'count', () => {
      const { text, values } = clauseOf('documents', fieldNames, where);
      const row = this.database.statement(`SELECT count(*) AS total FROM ${table} ${text}`).get(...values);
      return { '': Number(row?.['total']) };
    });
    return answer[''] ?? 0;
  }

  sum(collection: Collection, where: Where, by?: string): TotalsByGroup {
    const { table } = sqlOf(collection);
    return this.answers.of(table, where, `sum ${by ?? ''}`, () =>
      by === undefined ? this.sumAll(collection, where) : this.sumBy(collection, where, by),
    );
  }

  /** Does the writes within the open transaction. */
  write(writes: readonly DocumentWrite[]): void {
    for (const write of writes) {
      if (write.kind === 'put') this.put(write.collection, write.document);
      else if (write.kind === 'delete') this.remove(write.collection, write.key);
      else this.increment(write.collection, write.cell, write.by);
    }
  }

  /** Empties the collection within the open transaction. */
  clear(collection: Collection): void {
    const { table, cells } = sqlOf(collection);
    this.database.connection.exec(`DELETE FROM ${table}`);
    if (collection.cells.length > 0) this.database.connection.exec(`DELETE FROM ${cells}`);
    this.answers.touchAll(table);
    this.recent.forgetAll();
  }

  private read(collection: Collection, key: string, asked: Collection): StoredDocument | null {
    const row = this.database.statement(sqlOf(collection).get).get(key);
    return row ? documentOf(asked, row) : null;
  }

  private selection(
    collection: Collection,
    { where, sort, limit, offset }: Find,
    columns: string,
  ): { sql: string; values: SQLInputValue[] } {
    const { table, fieldNames } = sqlOf(collection);
    const { text, values } = clauseOf('documents', fieldNames, where, sort[0] && bare(sort[0]));
    const sql = `SELECT ${columns} FROM ${table} ${text} ORDER BY ${orderOf(collection, sort)} LIMIT ? OFFSET ?`;
    return { sql, values: [...values, limit, offset] };
  }

  private sumAll(collection: Collection, where: Where): TotalsByGroup {
    const { text, values } = clauseOf('cells', collection.cells, where);
    const row = this.database.statement(`SELECT sum(amount) AS total FROM ${sqlOf(collection).cells} ${text}`).get(...values);
    return { '': Number(row?.['total'] ?? 0) };
  }

  private sumBy(collection: Collection, where: Where, by: string): TotalsByGroup {
    if (!collection.cells.includes(by)) throw new Error(`${collection.name} is not counted by ${by}`);
    const { text, values } = clauseOf('cells', collection.cells, where);
    // A cell without a value of `by` is shown as `null`.
    const part = `iif(${quoted(by)} = ?, NULL, ${quoted(by)})`;
    const sql = `SELECT ${part} AS part, sum(amount) AS total FROM ${sqlOf(collection).cells} ${text} GROUP BY ${quoted(by)}`;
    const rows = this.database.statement(sql).all(NO_VALUE, ...values);
    return Object.fromEntries(rows.map(({ part: value, total }) => [String(value), Number(total)]));
  }

  private put(collection: Collection, document: StoredDocument): void {
    const { table } = sqlOf(collection);
    const before = this.recent.get(table, document.key);
    this.recent.forget(table, document.key);
    this.touch(collection, document.key, document.fields['tenant'] ?? null);
    if (!before || !this.change(collection, before, document)) this.replace(collection, document);
  }

  private replace(collection: Collection, { key, json, fields, revision }: StoredDocument): void {
    const sql = sqlOf(collection);
    const values: SQLInputValue[] = [key, json, revision];
    for (const name of sql.fieldNames) values.push(fields[name] ?? null);
    this.database.statement(sql.put).run(...values);
  }

  /** Writes what is different in a document that is known: an index without a changed field costs nothing. Answers whether it is there. */
  private change(collection: Collection, before: StoredDocument, { key, json, fields, revision }: StoredDocument): boolean {
    const { table, fieldNames } = sqlOf(collection);
    const changed = fieldNames.filter((name) => before.fields[name] !== (fields[name] ?? null));
    const columns = ['json', 'revision', ...changed.map(quoted)].map((name) => `${name} = ?`).join(', ');
    const values = changed.map((name) => fields[name] ?? null);
    return this.database.statement(`UPDATE ${table} SET ${columns} WHERE key = ?`).run(json, revision, ...values, key).changes === 1;
  }

  private remove(collection: Collection, key: string): void {
    this.recent.forget(sqlOf(collection).table, key);
    this.touch(collection, key, null);
    this.database.statement(sqlOf(collection).remove).run(key);
  }

  private increment(collection: Collection, cell: readonly Scalar[], by: number): void {
    const { table, increment, forgetZero } = sqlOf(collection);
    const place = collection.cells.indexOf('tenant');
    if (place < 0) this.answers.touchAll(table);
    else this.answers.touch(table, cell[place] ?? null);
    const values = cell.map(inCell);
    this.database.statement(increment).run(...values, by);
    if (by < 0) this.database.statement(forgetZero).run(...values);
  }

  /** Totals may change for the tenant that the document is of from now on, and for the one it was of. */
  private touch(collection: Collection, key: string, tenant: Scalar): void {
    const { table, tenantOf } = sqlOf(collection);
    if (tenantOf === null) return this.answers.touchAll(table);
    if (this.answers.keepsOthers(table, tenant)) {
      const before = this.database.statement(tenantOf).get(key);
      if (before) this.answers.touch(table, before['tenant'] as Scalar);
    }
    this.answers.touch(table, tenant);
  }
}

const documentOf = ({ fields }: Collection, row: Row): StoredDocument => {
  const values: Record<string, Scalar> = {};
  for (const name in fields) values[name] = (row[name] ?? null) as Scalar;
  return { key: row['key'] as string, json: row['json'] as string, revision: row['revision'] as number, fields: values };
};
