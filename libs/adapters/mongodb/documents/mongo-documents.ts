import type { Collection as MongoCollection } from 'mongodb';
import type {
  Checkpoint,
  Collection,
  Documents,
  DocumentWrite,
  Find,
  StoredDocument,
  Where,
} from '../../../eventsourcing/documents.port.js';
import { answering } from '../failures.js';
import { applyWrites, type ApplyingParts } from './applying.js';
import { filterOf } from './conditions.js';
import { bare, pathOf, placesOf, stored, type KeptCell, type KeptDocument } from './declared.js';
import { findIn } from './finding.js';
import type { KnownVersion } from './reader-records.js';
import type { VersionKeeping } from './version-keeping.js';

/** Who reads: whoever shows documents is served by a complete version, whoever builds one sees it as it is. */
type ReadAs = 'reader' | 'builder';

/** The read models in MongoDB. */
export class MongoDocuments implements Documents {
  constructor(
    private readonly parts: ApplyingParts & { readonly keeping: VersionKeeping },
    private readonly readAs: ReadAs,
  ) {}

  prepare(collection: Collection): Promise<void> {
    return answering(() => this.parts.keeping.prepare(collection));
  }

  get(collection: Collection, key: string): Promise<StoredDocument | null> {
    return answering(async () => {
      const found = await this.documentsOf(await this.serving(collection, [])).findOne({ _id: key });
      return found && stored(collection, found);
    });
  }

  find(collection: Collection, find: Find): Promise<readonly StoredDocument[]> {
    return answering(async () => {
      const found = await findIn(this.documentsOf(await this.sought(collection, find)), collection, find, 'whole');
      return found.map((document) => stored(collection, document));
    });
  }

  texts(collection: Collection, find: Find): Promise<readonly string[]> {
    return answering(async () => {
      const found = await findIn(this.documentsOf(await this.sought(collection, find)), collection, find, 'text');
      return found.map(({ json }) => json);
    });
  }

  count(collection: Collection, where: Where): Promise<number> {
    return answering(async () => {
      const filter = filterOf(Object.keys(collection.fields), where, 'documents');
      return this.documentsOf(await this.serving(collection, Object.keys(where))).countDocuments(filter);
    });
  }

  sum(collection: Collection, where: Where, by?: string): Promise<Readonly<Record<string, number>>> {
    return answering(async () => {
      const filter = filterOf(collection.cells, where, 'cells');
      const names = [...Object.keys(where), ...(by === undefined ? [] : [by])];
      const { declared, generation } = await this.serving(collection, names, 'cells');
      const cells = this.parts.database.collection<KeptCell>(placesOf(declared, generation).cells);
      const group = { _id: by === undefined ? '' : `$${pathOf(by)}`, amount: { $sum: '$amount' } };
      const sums = await cells.aggregate<{ _id: unknown; amount: number }>([{ $match: filter }, { $group: group }]).toArray();
      return { ...(by === undefined && { '': 0 }), ...Object.fromEntries(sums.map(({ _id, amount }) => [String(_id), amount])) };
    });
  }

  apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint): Promise<boolean> {
    return answering(() => applyWrites(this.parts, writes, checkpoint));
  }

  checkpoint(name: string): Promise<number> {
    return answering(async () => (await this.parts.readers.findOne({ _id: name }))?.position ?? 0);
  }

  clear(...collections: readonly Collection[]): Promise<void> {
    return answering(() => this.parts.keeping.clear(collections));
  }

  private documentsOf({ declared, generation }: KnownVersion): MongoCollection<KeptDocument> {
    return this.parts.database.collection<KeptDocument>(placesOf(declared, generation).documents);
  }

  private sought(collection: Collection, { where, sort }: Find): Promise<KnownVersion> {
    return this.serving(collection, [...Object.keys(where), ...sort.map(bare)]);
  }

  private serving(collection: Collection, names: readonly string[], asked: 'fields' | 'cells' = 'fields'): Promise<KnownVersion> {
    const { versions } = this.parts;
    return this.readAs === 'builder' ? versions.of(collection) : versions.serving(collection, asked, names);
  }
}
