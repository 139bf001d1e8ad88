import type { Collection as MongoCollection, Document } from 'mongodb';
import {
  queriedFields,
  type Checkpoint,
  type Collection,
  type DocumentPage,
  type Documents,
  type DocumentWrite,
  type DocumentQuery,
  type StoredDocument,
  type UseLimit,
  type Where,
} from '../../../eventsourcing/ports/documents.port.js';
import { insertOrRead, withPortErrors } from '../connection/failures.js';
import { applyWrites, type ApplyingDependencies } from './apply-writes.js';
import { sumCells } from './queries/cells.js';
import type { DocumentReads } from './document-reads.js';
import { namesOfVersion, fromRecord, toRecord, type DocumentRecord } from './declaration.js';
import { countIn, findIn, type SearchTarget } from './queries/find.js';
import type { Hints } from './queries/hints.js';
import type { CachedTotals } from './queries/cached-totals.js';
import type { FoundPage } from '../../../search/current-page.js';
import type { IndexedReads } from '../search/indexed-reads.js';
import type { VersionDocument } from './versions/reader-records.js';
import type { VersionLifecycle } from './versions/version-lifecycle.js';

/**
 * Who reads documents. While the requested version of a collection is not complete, a `reader` (a query) may get an older
 * version. A `builder` (a projection) always gets the requested version.
 */
type ReadAs = 'reader' | 'builder';

type DocumentsDependencies = {
  readonly lifecycle: VersionLifecycle;
  readonly reads: DocumentReads;
  readonly hints: Hints;
  readonly totals: CachedTotals;
  readonly indexed: IndexedReads;
};

/** Returns the cache key of a query on a version. */
const cacheKeyOf = ({ _id, generation }: VersionDocument, query: unknown): string => `${_id} ${generation} ${JSON.stringify(query)}`;

/** The documents of read models in MongoDB. */
export class MongoDocuments implements Documents {
  constructor(
    private readonly dependencies: ApplyingDependencies & DocumentsDependencies,
    private readonly readAs: ReadAs,
  ) {}

  prepare(collection: Collection): Promise<void> {
    return withPortErrors(() => this.dependencies.lifecycle.prepare(collection));
  }

  get(collection: Collection, key: string): Promise<StoredDocument | null> {
    return withPortErrors(async () => {
      const found = await this.dependencies.reads.read(this.documentsOf(await this.versionFor(collection, [])), key);
      return found && fromRecord(collection, found);
    });
  }

  find(collection: Collection, find: DocumentQuery): Promise<readonly StoredDocument[]> {
    return withPortErrors(async () => {
      const version = await this.versionForFind(collection, find);
      const indexed = await this.indexedPage(collection, version, find);
      const found = indexed?.found ?? (await findIn(this.searchTarget(collection, version), find, 'whole'));
      return found.map((document) => fromRecord(collection, document));
    });
  }

  page(collection: Collection, find: DocumentQuery): Promise<DocumentPage | null> {
    return withPortErrors(async () => {
      const indexed = await this.indexedPage(collection, await this.versionForFind(collection, find), find);
      return indexed && { texts: indexed.found.map(({ json }) => json), total: indexed.total };
    });
  }

  texts(collection: Collection, find: DocumentQuery): Promise<readonly string[]> {
    return withPortErrors(async () => {
      const version = await this.versionForFind(collection, find);
      return this.dependencies.reads.page(cacheKeyOf(version, find), async () =>
        (await findIn(this.searchTarget(collection, version), find, 'text')).map(({ json }) => json),
      );
    });
  }

  count(collection: Collection, where: Where): Promise<number> {
    return withPortErrors(async () => {
      const version = await this.versionFor(collection, Object.keys(where));
      return this.cachedTotal(version, ['count', where], () => countIn(this.searchTarget(collection, version), where));
    });
  }

  sum(collection: Collection, where: Where, by?: string): Promise<Readonly<Record<string, number>>> {
    return withPortErrors(async () => {
      const names = [...Object.keys(where), ...(by === undefined ? [] : [by])];
      const version = await this.versionFor(collection, names, 'cells');
      const { database, hints } = this.dependencies;
      return this.cachedTotal(version, ['sum', where, by], () => sumCells({ database, hints, collection, version }, where, by));
    });
  }

  apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint): Promise<boolean> {
    return withPortErrors(async () => {
      const applied = await applyWrites(this.dependencies, writes, checkpoint);
      const { totals, versions } = this.dependencies;
      totals.clear();
      if (applied && checkpoint) versions.observeReached({ _id: checkpoint.name }, checkpoint.position);
      return applied;
    });
  }

  use(collection: Collection, document: StoredDocument, limit: UseLimit): Promise<number | null> {
    return withPortErrors(async () => {
      const documents = this.documentsOf(await this.versionFor(collection, [])) as unknown as MongoCollection<UsedRecord>;
      const update = countUse(collection, document, limit);
      const { isCounted, f } = await insertOrRead(() =>
        documents.findOneAndUpdate({ _id: document.key }, update, { upsert: true, returnDocument: 'after' }),
      );
      return isCounted ? Number(f['uses']) : null;
    });
  }

  checkpoint(name: string): Promise<number> {
    return withPortErrors(async () => {
      const { position = 0 } = (await this.dependencies.readers.findOne({ _id: name }, { projection: { position: 1 } })) ?? {};
      this.dependencies.versions.observe(name, position);
      return position;
    });
  }

  clear(...collections: readonly Collection[]): Promise<void> {
    return withPortErrors(() => this.dependencies.lifecycle.clear(collections));
  }

  /**
   * Caches a total until any checkpoint or version changes. If no projection fills the collection, its totals are not
   * cached: no checkpoint would show that they have changed.
   */
  private cachedTotal<T>(version: VersionDocument, query: unknown, work: () => Promise<T>): Promise<T> {
    const { versions, totals } = this.dependencies;
    if (this.readAs === 'builder' || versions.positionOf(version) === 0) return work();
    return totals.of(versions.revision(), cacheKeyOf(version, query), work);
  }

  /** Reads a page by the index in memory, or returns null. It may be as old as the last checkpoint that this process has read. */
  private async indexedPage(
    collection: Collection,
    version: VersionDocument,
    find: DocumentQuery,
  ): Promise<FoundPage<DocumentRecord> | null> {
    if (this.readAs === 'builder') return null;
    const { versions, indexed } = this.dependencies;
    return indexed.page({ collection, version, documents: this.documentsOf(version) }, find, versions.positionOf(version));
  }

  private searchTarget(collection: Collection, version: VersionDocument): SearchTarget {
    return { documents: this.documentsOf(version), collection, hints: this.dependencies.hints };
  }

  private documentsOf(version: VersionDocument): MongoCollection<DocumentRecord> {
    return this.dependencies.database.collection<DocumentRecord>(namesOfVersion(version).documents);
  }

  private versionForFind(collection: Collection, find: DocumentQuery): Promise<VersionDocument> {
    return this.versionFor(collection, queriedFields(find));
  }

  private versionFor(collection: Collection, names: readonly string[], needed: 'fields' | 'cells' = 'fields'): Promise<VersionDocument> {
    const { versions } = this.dependencies;
    return this.readAs === 'builder' ? versions.of(collection) : versions.serving(collection, needed, names);
  }
}

/** A document whose uses are counted. `isCounted`: whether its last use was permitted, and counted. */
type UsedRecord = DocumentRecord & { readonly isCounted?: boolean };

/** Returns the update that counts a use if the limit permits it. */
const countUse = (collection: Collection, document: StoredDocument, { times, milliseconds }: UseLimit): Document[] => {
  const { json, revision, f } = toRecord(collection, document);
  const now = { $toDouble: { $toLong: '$$NOW' } };
  const isNew = { $eq: [{ $type: '$json' }, 'missing'] };
  const isPermitted = { $and: [{ $lt: ['$f.uses', times] }, { $lt: [{ $subtract: [now, '$f.firstUsedAt'] }, milliseconds] }] };
  const isFirst = { $eq: [{ $ifNull: ['$f.uses', null] }, null] };
  const counted = { uses: { $add: ['$f.uses', 1] }, firstUsedAt: '$f.firstUsedAt' };
  const first = { uses: 1, firstUsedAt: now };
  return [
    { $set: { isCounted: { $or: [isFirst, isPermitted] } } },
    {
      $replaceWith: { $cond: [isNew, { $mergeObjects: ['$$ROOT', { json: { $literal: json }, revision, f: { $literal: f } }] }, '$$ROOT'] },
    },
    {
      $set: {
        revision: { $cond: ['$isCounted', { $add: ['$revision', 1] }, '$revision'] },
        f: { $cond: ['$isCounted', { $mergeObjects: ['$f', { $cond: [isFirst, first, counted] }] }, '$f'] },
      },
    },
  ];
};
