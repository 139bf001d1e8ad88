import type { SQLInputValue } from 'node:sqlite';

/** A statement that writes, and the number of its parameters. */
export type WriteStatement = { readonly sql: string; readonly arity: number };

/** All recorded statements. The id of a statement is its index in the list. */
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

/** Statements in order and all their values in one list: a transaction for another connection. */
export class RecordedWrites {
  readonly statements: number[] = [];
  readonly values: SQLInputValue[] = [];

  constructor(readonly known: StatementTable) {}

  add(sql: string, values: readonly SQLInputValue[]): void {
    this.statements.push(this.known.idOf(sql, values.length));
    for (const value of values) this.values.push(value);
  }

  /** Returns a mark for `backTo`. */
  mark(): readonly [statements: number, values: number] {
    return [this.statements.length, this.values.length];
  }

  /** Removes everything added after the mark. */
  backTo([statements, values]: readonly [number, number]): void {
    this.statements.length = statements;
    this.values.length = values;
  }
}
