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

/**
 * A transaction that the commit thread runs later, on its own connection. `statements` are the ids of the statements in order.
 * `values` are the values of all statements, one statement after the other.
 */
export class RecordedWrites {
  readonly statements: number[] = [];
  readonly values: SQLInputValue[] = [];

  constructor(readonly statementTable: StatementTable) {}

  add(sql: string, values: readonly SQLInputValue[]): void {
    this.statements.push(this.statementTable.idOf(sql, values.length));
    for (const value of values) this.values.push(value);
  }

  /** Returns the current end, for `truncateTo`. */
  mark(): readonly [statements: number, values: number] {
    return [this.statements.length, this.values.length];
  }

  /** Removes what was added after the mark. */
  truncateTo([statements, values]: readonly [number, number]): void {
    this.statements.length = statements;
    this.values.length = values;
  }
}
