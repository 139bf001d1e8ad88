import type { Collection, DocumentWrite } from '../../../eventsourcing/ports/documents.port.js';
import { SIDES, type Beside, type Fills, type WantedFills } from '../../../eventsourcing/ports/fills.port.js';
import { canonicalText } from '../../../eventsourcing/canonical-json.js';
import { intoVersion } from '../../../eventsourcing/projecting.js';
import type { Projector } from '../../../eventsourcing/projection.js';
import { createSerialQueue } from '../../../eventsourcing/scheduling/serial-queue.js';
import { besideOf } from '../../../eventsourcing/read-model-versions.js';
import type { CommitQueue } from '../commits/commit-queue.js';
import { quote, sqlOf, tableNameOf } from '../documents/declared-sql.js';
import type { SqliteDocuments } from '../documents/sqlite-documents.js';
import { searchedBy, type SearchThread } from '../search/search-thread.js';
import type { ProjectionDependencies } from './projection-dependencies.js';

/** The maximum number of documents that are compared. */
const COMPARED = 1_000;

type FillsDependencies = ProjectionDependencies & {
  readonly queue: Pick<CommitQueue, 'write'>;
  readonly documents: SqliteDocuments;
  /** Null for a store in memory. */
  readonly searches: Pick<SearchThread, 'rows' | 'onCreated' | 'onRenamed'> | null;
};

/**
 * The second fills of the read models of a folder, in tables of their own. Once a fill has caught up, each append updates it, too. So it
 * can replace the other one in one commit, which exchanges the names of their tables.
 */
export class FolderFills implements Fills {
  /** The projectors of the fills, by the names of their tables. */
  private readonly open = new Map<string, Projector>();
  /** The tables that are being dropped. */
  private readonly dropping = new Set<string>();
  private readonly inTurn = createSerialQueue();

  constructor(
    private readonly dependencies: FillsDependencies,
    private readonly own: readonly Projector[],
  ) {}

  /** Returns the projectors of all fills. */
  projectors(): readonly Projector[] {
    return [...this.open.values()];
  }

  follow(wanted: () => Promise<WantedFills>): Promise<void> {
    return this.inTurn(async () => this.followNow(await wanted()));
  }

  private async followNow(wanted: WantedFills): Promise<void> {
    for (const projector of this.own)
      for (const beside of SIDES) {
        const collection = besideOf(projector.collection, beside);
        if (wanted[beside].has(projector.name)) await this.create(projector, collection);
        else this.open.delete(tableNameOf(collection));
      }
    const { collections } = this.dependencies;
    const names = new Set(this.own.flatMap(({ collection }) => SIDES.map((beside) => besideOf(collection, beside).name)));
    // Also those of a former version of their read model, which nothing can compare or exchange any more.
    for (const collection of collections.withNames(names)) if (!this.open.has(tableNameOf(collection))) await this.drop(collection);
  }

  async progress(projection: string, beside: Beside): Promise<{ readonly position: number; readonly hasReachedEnd: boolean } | null> {
    const name = tableNameOf(besideOf(this.ownOf(projection).collection, beside));
    const { checkpoints } = this.dependencies;
    return this.open.has(name) ? { position: checkpoints.position(name), hasReachedEnd: checkpoints.isInline(name) } : null;
  }

  async compare(projection: string, seed: number): Promise<string | null> {
    const { collection: current } = this.ownOf(projection);
    const fill = besideOf(current, 'fill');
    const [a, b] = [sqlOf(current), sqlOf(fill)];
    // Each statement reads one state of the file, in which both have the same events.
    const counts = await this.row(`SELECT (SELECT count(*) FROM ${a.table}) AS own, (SELECT count(*) FROM ${b.table}) AS other`);
    if (counts?.['own'] !== counts?.['other'])
      return `the read model has ${String(counts?.['own'])} documents, and the fill ${String(counts?.['other'])}`;
    if (current.cells.length > 0 && (await this.row(unequalRows(a.cells, b.cells)))) return 'their counters differ';
    const isOther = ['revision', ...a.fieldNames.map(quote)].map((name) => `own.${name} IS NOT other.${name}`).join(' OR ');
    const different = `SELECT own.key AS key, own.json AS one, other.json AS two, (other.key IS NULL OR ${isOther}) AS isOther FROM (SELECT * FROM ${a.table} WHERE rowid >= ? LIMIT 1) AS own LEFT JOIN ${b.table} AS other USING (key) WHERE other.key IS NULL OR own.json IS NOT other.json OR ${isOther}`;
    const last = Number((await this.row(`SELECT max(rowid) AS last FROM ${a.table}`))?.['last'] ?? 0);
    for (const rowid of chosenRows(last, seed)) {
      const found = await this.row(different, rowid);
      if (found && (found['isOther'] || canonicalText(String(found['one'])) !== canonicalText(String(found['two']))))
        return `the document ${String(found['key'])} differs`;
    }
    return null;
  }

  exchange(projection: string, beside: Beside, state: DocumentWrite): Promise<boolean> {
    return this.inTurn(() => this.exchangeNow(projection, beside, state));
  }

  private async exchangeNow(projection: string, beside: Beside, state: DocumentWrite): Promise<boolean> {
    const projector = this.ownOf(projection);
    const own = projector.collection;
    const [other, kept] = [besideOf(own, beside), besideOf(own, 'kept')];
    const { queue, checkpoints, collections, tables } = this.dependencies;
    // A read model that was kept before is replaced by the one that queries read until now.
    if (beside === 'fill' && this.open.delete(tableNameOf(kept))) await this.drop(kept);
    if (this.dropping.has(tableNameOf(kept))) await collections.whenDropped();
    return queue.write(
      'alone',
      () => {
        const isReady = this.open.has(tableNameOf(other)) && [own, other].every((one) => checkpoints.isInline(tableNameOf(one)));
        if (!isReady || !tables.hasExpectedRevisions([state])) return false;
        tables.write([state]);
        for (const [from, to] of renamesOf(own, other, kept)) this.rename(from, to);
        return true;
      },
      { onCommitted: (isExchanged) => isExchanged && this.onExchanged(projector, other, kept) },
    );
  }

  private onExchanged(projector: Projector, other: Collection, kept: Collection): void {
    const { checkpoints, collections, parked, tables, searches } = this.dependencies;
    const own = projector.collection;
    for (const [from, to] of renamesOf(own, other, kept)) {
      parked.moveCached(tableNameOf(from), tableNameOf(to));
      searches?.onRenamed(tableNameOf(from), tableNameOf(to));
    }
    this.open.delete(tableNameOf(other));
    checkpoints.remove(tableNameOf(other));
    collections.removeEntries(other);
    this.open.set(tableNameOf(kept), intoVersion(projector, kept));
    checkpoints.add(tableNameOf(kept));
    checkpoints.setInline(tableNameOf(kept), true);
    collections.addEntry(kept);
    tables.onRenamed(own);
  }

  /** Gives the tables and records of a collection the names of another one, within the open or recorded transaction. */
  private rename(from: Collection, to: Collection): void {
    const { database, checkpoints, collections, parked } = this.dependencies;
    const [a, b] = [sqlOf(from), sqlOf(to)];
    database.write(`ALTER TABLE ${a.table} RENAME TO ${b.table}`);
    if (from.cells.length > 0) database.write(`ALTER TABLE ${a.cells} RENAME TO ${b.cells}`);
    parked.moveRows(tableNameOf(from), tableNameOf(to));
    checkpoints.rename(tableNameOf(from), tableNameOf(to));
    collections.storeDeletion(from);
    collections.storeEntry(to);
    collections.storeInService(to, true);
  }

  private async create(projector: Projector, collection: Collection): Promise<void> {
    const { checkpoints, collections, documents, searches } = this.dependencies;
    const name = tableNameOf(collection);
    if (this.open.has(name)) return;
    if (this.dropping.has(name)) await collections.whenDropped();
    checkpoints.add(name);
    await documents.prepare(collection);
    // A kill may have interrupted the removal of an earlier one.
    if (!checkpoints.has(name)) await documents.clear(collection);
    await documents.storeIfAtEnd(collection);
    const searched = searchedBy(collection);
    if (checkpoints.position(name) === 0 && searched) searches?.onCreated(searched);
    this.open.set(name, intoVersion(projector, collection));
  }

  private async drop(collection: Collection): Promise<void> {
    const { queue, checkpoints, collections, parked, tables } = this.dependencies;
    const name = tableNameOf(collection);
    if (this.dropping.has(name)) return;
    this.dropping.add(name);
    // Appends that have begun may still write to it.
    await queue.write('alone', () => checkpoints.delete(name), { onCommitted: () => checkpoints.remove(name) });
    collections.dropLater(collection, () => {
      checkpoints.delete(name);
      parked.deleteRows(name);
      parked.uncacheAll(name);
      tables.onDropped(name);
    });
    void collections.whenDropped().then(() => this.dropping.delete(name));
  }

  /** Reads a row in the thread of searches, so that no request waits. A store in memory has no thread. */
  private async row(sql: string, ...values: readonly number[]): Promise<Readonly<Record<string, unknown>> | undefined> {
    const { database, searches } = this.dependencies;
    return searches ? (await searches.rows(sql, values))[0] : database.statement(sql).get(...values);
  }

  private ownOf(projection: string): Projector {
    const own = this.own.find(({ name }) => name === projection);
    if (!own) throw new Error(`there is no projection ${projection}`);
    return own;
  }
}

/** The renames that exchange a read model and another one, in their order. What queries read until then is kept. */
const renamesOf = (own: Collection, other: Collection, kept: Collection): readonly (readonly [from: Collection, to: Collection])[] => {
  const spare = { ...own, name: `${own.name}_spare` };
  return [
    [own, spare],
    [other, own],
    [spare, kept],
  ];
};

/** Returns a statement that selects something if two tables have different rows. */
const unequalRows = (one: string, other: string): string =>
  `SELECT 1 FROM (SELECT * FROM (SELECT * FROM ${one} EXCEPT SELECT * FROM ${other}) UNION ALL SELECT * FROM (SELECT * FROM ${other} EXCEPT SELECT * FROM ${one})) LIMIT 1`;

/** Yields the row ids from which rows are compared. The same seed chooses the same ones. */
function* chosenRows(last: number, seed: number): Iterable<number> {
  if (last <= COMPARED) for (let row = 1; row <= last; row++) yield row;
  else
    for (let number = 0, state = seed >>> 0; number < COMPARED; number++) {
      // The generator of Lehmer, which is as random as a sample needs.
      state = (Math.imul(state, 48_271) + number) >>> 0;
      yield 1 + (state % last);
    }
}
