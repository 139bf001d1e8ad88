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

/** A part of a recorded transaction: its statements are from index `from` up to, but not including, index `to`. */
type Part = { readonly name: string; readonly from: number; readonly to: number };

/**
 * A transaction that the commit thread runs later, on its own connection. `statements` are the ids of the statements in order.
 * `values` are the values of all statements, one statement after the other.
 */
export class RecordedWrites {
  readonly statements: number[] = [];
  readonly values: SQLInputValue[] = [];
  /** Inner parts precede the parts that contain them. */
  private readonly parts: Part[] = [];

  constructor(readonly statementTable: StatementTable) {}

  add(sql: string, values: readonly SQLInputValue[]): void {
    this.statements.push(this.statementTable.idOf(sql, values.length));
    for (const value of values) this.values.push(value);
  }

  /** Records `work` as a part. If `work` throws, removes what it recorded and rethrows the error. */
  addPart<T>(name: string, work: () => T): T {
    const [from, values] = [this.statements.length, this.values.length];
    try {
      const result = work();
      this.parts.push({ name, from, to: this.statements.length });
      return result;
    } catch (error) {
      this.statements.length = from;
      this.values.length = values;
      while ((this.parts.at(-1)?.to ?? 0) > from) this.parts.pop();
      throw error;
    }
  }

  /** Returns the name of the innermost part with the statement of this index. */
  partWith(index: number): string | undefined {
    return this.parts.find(({ from, to }) => from <= index && index < to)?.name;
  }
}
