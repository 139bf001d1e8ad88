import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import {
  checkpointOf,
  type Checkpoint,
  type Collection,
  type Condition,
  type DocumentQuery,
  type Documents,
  type DocumentWrite,
  type Fields,
  type Scalar,
  type StoredDocument,
  type UseLimit,
  type Where,
} from '../../../libs/eventsourcing/ports/documents.port.js';
import type { ReadModelChange } from '../../../libs/eventsourcing/projecting.js';
import type { Link } from '../link.js';
import type { LeaseServer } from './simulated-leases.js';

type Cell = { readonly fields: Fields; readonly amount: number };

/** The content of one version of a collection. Cells are found by the JSON of their values. */
type Table = { readonly documents: Map<string, StoredDocument>; readonly cells: Map<string, Cell> };

/** Stores documents, cells and checkpoints. Reads and writes exactly the version of a collection that the caller names. */
export class DocumentServer {
  private readonly tables = new Map<string, Table>();
  private readonly checkpoints = new Map<string, Checkpoint>();
  /** How to undo each change of the open transactions. */
  private readonly undoLog: (() => void)[] = [];
  private openTransactions = 0;

  /** `leases` are those of checkpoints. Without them, as in the embedded profile, no write is under a lease. */
  constructor(
    private readonly clock: Pick<Clock, 'now'>,
    private readonly leases?: LeaseServer,
  ) {}

  /** Undoes all changes that `work` made to documents, cells and checkpoints if it throws. Transactions may be nested. */
  transaction<T>(work: () => T): T {
    const start = this.undoLog.length;
    this.openTransactions++;
    try {
      return work();
    } catch (error) {
      while (this.undoLog.length > start) this.undoLog.pop()?.();
      throw error;
    } finally {
      if (--this.openTransactions === 0) this.undoLog.length = 0;
    }
  }

  prepare(collection: Collection): void {
    const name = checkpointOf(collection);
    if (!this.tables.has(name)) this.tables.set(name, emptyTable());
  }

  get(collection: Collection, key: string): StoredDocument | null {
    return this.tableOf(collection).documents.get(key) ?? null;
  }

  find(collection: Collection, { where, sort, limit, offset }: DocumentQuery): readonly StoredDocument[] {
    const compare = comparisonOf(collection, sort);
    return this.matches(collection, where)
      .sort(compare)
      .slice(offset, offset + limit);
  }

  texts(collection: Collection, find: DocumentQuery): readonly string[] {
    return this.find(collection, find).map(({ json }) => json);
  }

  count(collection: Collection, where: Where): number {
    return this.matches(collection, where).length;
  }

  sum(collection: Collection, where: Where, by?: string): Readonly<Record<string, number>> {
    if (by !== undefined && !collection.cells.includes(by)) throw new Error(`${collection.name} is not counted by ${by}`);
    const isMatch = filterOf('cells', collection.cells, where);
    const totals = new Map<string, number>(by === undefined ? [['', 0]] : []);
    for (const { fields, amount } of this.tableOf(collection).cells.values()) {
      if (!isMatch(fields)) continue;
      const group = by === undefined ? '' : String(fields[by]);
      totals.set(group, (totals.get(group) ?? 0) + amount);
    }
    return Object.fromEntries(totals);
  }

  apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint): boolean {
    // The lease is checked first: a former owner must not believe that a repeated write is its own.
    if (checkpoint?.lease) this.leases?.requireOwner(checkpoint.lease);
    if (checkpoint && checkpoint.position <= this.checkpoint(checkpoint.name)) return false;
    if (!writes.every((write) => this.isExpected(write))) return false;
    this.transaction(() => {
      for (const write of writes) this.write(write);
      if (checkpoint) this.set(this.checkpoints, checkpoint.name, checkpoint);
    });
    return true;
  }

  use(collection: Collection, document: StoredDocument, { times, milliseconds }: UseLimit): number | null {
    const used = this.get(collection, document.key) ?? document;
    const now = this.clock.now().getTime();
    const uses = Number(used.fields['uses'] ?? 0) + 1;
    const firstUsedAt = Number(used.fields['firstUsedAt'] ?? now);
    if (uses > times || now - firstUsedAt >= milliseconds) return null;
    const counted = { ...used, fields: { ...used.fields, uses, firstUsedAt }, revision: used.revision + 1 };
    this.transaction(() => this.write({ kind: 'put', collection, document: counted }));
    return uses;
  }

  checkpoint(name: string): number {
    return this.checkpoints.get(name)?.position ?? 0;
  }

  /** Returns the checkpoint as it was last moved, with its event and its lease. Null if the reader has none. */
  checkpointRecord(name: string): Checkpoint | null {
    return this.checkpoints.get(name) ?? null;
  }

  /** Also revokes the leases under which the checkpoints were moved, so that writes of the projections before are rejected. */
  clear(collections: readonly Collection[]): void {
    this.transaction(() => {
      for (const name of collections.map(checkpointOf)) {
        const { lease } = this.checkpoints.get(name) ?? {};
        if (lease) this.leases?.revoke(lease.name);
        this.set(this.tables, name, emptyTable());
        this.set(this.checkpoints, name, undefined);
      }
    });
  }

  /** Applies changes of read models in one transaction. */
  store(changes: readonly ReadModelChange[]): void {
    this.transaction(() => {
      for (const { collection, writes, reached } of changes) {
        for (const write of writes) this.write(write);
        const name = checkpointOf(collection);
        if (reached) this.set(this.checkpoints, name, { name, position: reached.position });
      }
    });
  }

  private isExpected(write: DocumentWrite): boolean {
    if (write.kind !== 'put' || write.expected === undefined) return true;
    return (this.get(write.collection, write.document.key)?.revision ?? 'none') === write.expected;
  }

  private write(write: DocumentWrite): void {
    const { collection } = write;
    const { documents, cells } = this.tableOf(collection);
    if (write.kind === 'put') this.set(documents, write.document.key, declaredPartOf(collection, write.document));
    else if (write.kind === 'delete') this.set(documents, write.key, undefined);
    else {
      const id = JSON.stringify(write.cell);
      const fields = cells.get(id)?.fields ?? cellFieldsOf(collection, write.cell);
      const amount = (cells.get(id)?.amount ?? 0) + write.by;
      this.set(cells, id, amount === 0 ? undefined : { fields, amount });
    }
  }

  private matches(collection: Collection, where: Where): StoredDocument[] {
    const isMatch = filterOf('documents', Object.keys(collection.fields), where);
    return [...this.tableOf(collection).documents.values()].filter(({ fields }) => isMatch(fields));
  }

  private tableOf(collection: Collection): Table {
    const table = this.tables.get(checkpointOf(collection));
    if (!table) throw new Error(`the documents of ${checkpointOf(collection)} are not prepared`);
    return table;
  }

  /** Sets a value, or deletes it if it is undefined, within a transaction. */
  private set<V>(values: Map<string, V>, key: string, value: V | undefined): void {
    const before = values.get(key);
    this.undoLog.push(() => assign(values, key, before));
    assign(values, key, value);
  }
}

const emptyTable = (): Table => ({ documents: new Map(), cells: new Map() });

const assign = <V>(values: Map<string, V>, key: string, value: V | undefined): void => {
  if (value === undefined) values.delete(key);
  else values.set(key, value);
};

/** Returns what the collection declares of a document. Databases store nothing else, and null for a missing field. */
const declaredPartOf = (collection: Collection, { key, json, revision, fields }: StoredDocument): StoredDocument => {
  if (typeof json !== 'string') throw new TypeError(`the document ${key} has no text`);
  const declared: Record<string, Scalar> = {};
  for (const name in collection.fields) declared[name] = fields[name] ?? null;
  return { key, json, revision, fields: declared };
};

const cellFieldsOf = ({ name, cells }: Collection, values: readonly Scalar[]): Fields => {
  if (cells.length === 0 || cells.length !== values.length)
    throw new Error(`a cell of ${name} has ${cells.length} values, not ${values.length}`);
  return Object.fromEntries(cells.map((field, index) => [field, values[index] ?? null]));
};

/** Returns whether fields meet all conditions. Throws on an undeclared field. */
const filterOf = (kind: 'documents' | 'cells', names: readonly string[], where: Where): ((fields: Fields) => boolean) => {
  const conditions = Object.entries(where);
  for (const [name] of conditions) if (!names.includes(name)) throw new Error(`${kind} have no field ${name}`);
  return (fields) => conditions.every(([name, condition]) => isMet(condition, fields[name] ?? null));
};

const isMet = (condition: Condition, value: Scalar): boolean => {
  if (condition === null || typeof condition !== 'object') return value === condition;
  if ('in' in condition) return condition.in.includes(value);
  const { from, to } = condition;
  if (from === undefined && to === undefined) return true;
  return value !== null && (from === undefined || compareValues(value, from) >= 0) && (to === undefined || compareValues(value, to) <= 0);
};

/** Returns the comparison for a sort. Throws on an undeclared field. */
const comparisonOf = ({ name, fields }: Collection, sort: readonly string[]): ((one: StoredDocument, other: StoredDocument) => number) => {
  const keySign = sort.at(-1) === 'key' ? 1 : -1;
  const terms = sort
    .filter((term, index) => index < sort.length - 1 || (term !== 'key' && term !== '-key'))
    .map((term) => (term.startsWith('-') ? { field: term.slice(1), sign: -1 } : { field: term, sign: 1 }));
  for (const { field } of terms) if (!Object.hasOwn(fields, field)) throw new Error(`${name} has no field ${field}`);
  return (one, other) => {
    for (const { field, sign } of terms) {
      const [first, second] = [one.fields[field] ?? null, other.fields[field] ?? null];
      if (first === second) continue;
      // Nulls are last in both directions.
      if (first === null || second === null) return first === null ? 1 : -1;
      return sign * compareValues(first, second);
    }
    return keySign * compareValues(one.key, other.key);
  };
};

const compareValues = (one: string | number, other: string | number): number =>
  typeof one === 'number' ? one - Number(other) : compareTexts(one, String(other));

/** Compares texts by code points, as databases do. JavaScript would sort surrogates before the last characters of 16 bits. */
const compareTexts = (one: string, other: string): number => {
  let at = 0;
  while (at < one.length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return (one.codePointAt(at) ?? -1) - (other.codePointAt(at) ?? -1);
};

/** Returns the documents as one process uses them. */
export const simulatedDocuments = (server: DocumentServer, link: Link): Documents => ({
  prepare: (collection) => link(`prepare ${checkpointOf(collection)}`, () => server.prepare(collection)),
  get: (collection, key) => link(`get ${collection.name}/${key}`, () => server.get(collection, key)),
  find: (collection, find) => link(`find ${collection.name}`, () => server.find(collection, find)),
  // There is no index.
  page: () => Promise.resolve(null),
  texts: (collection, find) => link(`find ${collection.name}`, () => server.texts(collection, find)),
  count: (collection, where) => link(`count ${collection.name}`, () => server.count(collection, where)),
  sum: (collection, where, by) => link(`sum ${collection.name}`, () => server.sum(collection, where, by)),
  apply: (writes, checkpoint) =>
    link(`apply ${textOf(writes)}${checkpoint ? ` at ${checkpoint.name}@${checkpoint.position}` : ''}`, () =>
      server.apply(writes, checkpoint),
    ),
  use: (collection, document, limit) => link(`use ${collection.name}/${document.key}`, () => server.use(collection, document, limit)),
  checkpoint: (name) => link(`read the checkpoint ${name}`, () => server.checkpoint(name)),
  clear: (...collections) => link(`clear ${collections.map(checkpointOf).join(', ')}`, () => server.clear(collections)),
});

/** Names the first write, and counts the others. */
const textOf = ([first, ...others]: readonly DocumentWrite[]): string => {
  if (!first) return 'no writes';
  const { name } = first.collection;
  const text =
    first.kind === 'put'
      ? `${name}/${first.document.key}${statusIn(first.document.json)}`
      : first.kind === 'delete'
        ? `the deletion of ${name}/${first.key}`
        : `a count of ${name}`;
  return others.length > 0 ? `${text} and ${others.length} more` : text;
};

/** The status of a document, for stories. */
const statusIn = (json: string): string => {
  const { status } = JSON.parse(json) as { readonly status?: unknown };
  return typeof status === 'string' ? ` as ${status}` : '';
};
