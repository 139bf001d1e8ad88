import type { SQLInputValue } from 'node:sqlite';

/** A statement that writes, and how many values it takes. */
export type WriteStatement = { readonly sql: string; readonly arity: number };

/** The statements that were ever recorded; each goes by its place in the list. */
export class KnownStatements {
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

/** Statements that write, in order, and all their values one after the other: a transaction for another connection. */
export class RecordedWrites {
  readonly statements: number[] = [];
  readonly values: SQLInputValue[] = [];

  constructor(readonly known: KnownStatements) {}

  add(sql: string, values: readonly SQLInputValue[]): void {
    this.statements.push(this.known.idOf(sql, values.length));
    for (const value of values) this.values.push(value);
  }

  /** A place to go back to. */
  mark(): readonly [statements: number, values: number] {
    return [this.statements.length, this.values.length];
  }

  /** Forgets what was added after the mark. */
  backTo([statements, values]: readonly [number, number]): void {
    this.statements.length = statements;
    this.values.length = values;
  }
}
