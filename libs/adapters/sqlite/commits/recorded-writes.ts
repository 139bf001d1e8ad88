import type { SQLInputValue } from 'node:sqlite';

/** A statement that writes, and the number of its parameters. */
export type WriteStatement = { readonly sql: string; readonly arity: number };

/**
 * Every statement that was ever recorded. The id of a statement is its index in `list`. Recorded transactions contain ids, so
 * that the commit thread prepares each statement only once.
 */
export class StatementTable {
  readonly list: WriteStatement[] = [];
  private readonly ids = new Map<string, number>();

  idOf(sql: string, arity: number): number {
    let id = this.ids.get(sql);
    if (id === undefined) {
      this.ids.set(sql, (id = this.list.length));
      this.list.push({ sql, arity });
    }
    return id;
  }
}

/** A savepoint of a recorded transaction: its statements are from index `from` up to, but not including, index `to`. */
type Savepoint = { readonly name: string; readonly from: number; readonly to: number };

/**
 * A transaction that the commit thread runs later, on its own connection. `statements` are the ids of the statements in order.
 * `values` are the values of all statements, one statement after the other.
 */
export class RecordedWrites {
  readonly statements: number[] = [];
  readonly values: SQLInputValue[] = [];
  /** Inner savepoints precede those that contain them. */
  private readonly savepoints: Savepoint[] = [];

  constructor(readonly statementTable: StatementTable) {}

  add(sql: string, values: readonly SQLInputValue[]): void {
    this.statements.push(this.statementTable.idOf(sql, values.length));
    for (const value of values) this.values.push(value);
  }

  /** Records `work` as a savepoint. If `work` throws, removes what it recorded and rethrows the error. */
  addSavepoint<T>(name: string, work: () => T): T {
    const [from, values] = [this.statements.length, this.values.length];
    try {
      const result = work();
      this.savepoints.push({ name, from, to: this.statements.length });
      return result;
    } catch (error) {
      this.statements.length = from;
      this.values.length = values;
      while ((this.savepoints.at(-1)?.to ?? 0) > from) this.savepoints.pop();
      throw error;
    }
  }

  /** Returns the name of the innermost savepoint with the statement of this index. */
  savepointWith(index: number): string | undefined {
    return this.savepoints.find(({ from, to }) => from <= index && index < to)?.name;
  }
}
