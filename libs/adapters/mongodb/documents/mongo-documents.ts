import type { Collection as MongoCollection } from 'mongodb';
import {
  fieldsOfFind,
  type Checkpoint,
  type Collection,
  type Documents,
  type DocumentWrite,
  type Find,
  type StoredDocument,
  type Where,
} from '../../../eventsourcing/ports/documents.port.js';
import { answering } from '../connection/failures.js';
import { applyWrites, type ApplyingParts } from './applying.js';
import { addUp } from './queries/cells.js';
import type { DocumentReads } from './document-reads.js';
import { placesOf, stored, type KeptDocument } from './declared.js';
import { countIn, findIn, type Searched } from './queries/finding.js';
import type { Hints } from './queries/hints.js';
import type { RememberedTotals } from './queries/remembered-totals.js';
import type { KnownVersion } from './versions/reader-records.js';
import type { VersionKeeping } from './versions/version-keeping.js';

/** Who reads: queries are answered by a complete version, projections see each version as it is. */
type ReadAs = 'reader' | 'builder';

type DocumentsParts = {
  readonly keeping: VersionKeeping;
  readonly reads: DocumentReads;
  readonly hints: Hints;
  readonly totals: RememberedTotals;
};

/** A question to a version, as a text. */
const nameOf = ({ _id, generation }: KnownVersion, question: unknown): string => `${_id} ${generation} ${JSON.stringify(question)}`;

/** The read models in MongoDB. */
export class MongoDocuments implements Documents {
  constructor(
    private readonly parts: ApplyingParts & DocumentsParts,
    private readonly readAs: ReadAs,
  ) {}

  prepare(collection: Collection): Promise<void> {
    return answering(() => this.parts.keeping.prepare(collection));
  }

  get(collection: Collection, key: string): Promise<StoredDocument | null> {
    return answering(async () => {
      const found = await this.parts.reads.read(this.documentsOf(await this.serving(collection, [])), key);
      return found && stored(collection, found);
    });
  }

  find(collection: Collection, find: Find): Promise<readonly StoredDocument[]> {
    return answering(async () => {
      const found = await findIn(this.searched(collection, await this.sought(collection, find)), find, 'whole');
      return found.map((document) => stored(collection, document));
    });
  }

  texts(collection: Collection, find: Find): Promise<readonly string[]> {
    return answering(async () => {
      const version = await this.sought(collection, find);
      return this.parts.reads.page(nameOf(version, find), async () => {
        const found = await findIn(this.searched(collection, version), find, 'text');
        return found.map(({ json }) => json);
      });
    });
  }

  count(collection: Collection, where: Where): Promise<number> {
    return answering(async () => {
      const version = await this.serving(collection, Object.keys(where));
      return this.remembered(version, ['count', where], () => countIn(this.searched(collection, version), where));
    });
  }

  sum(collection: Collection, where: Where, by?: string): Promise<Readonly<Record<string, number>>> {
    return answering(async () => {
      const names = [...Object.keys(where), ...(by === undefined ? [] : [by])];
      const version = await this.serving(collection, names, 'cells');
      const { database, hints } = this.parts;
      return this.remembered(version, ['sum', where, by], () => addUp({ database, hints, collection, version }, where, by));
    });
  }

  apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint): Promise<boolean> {
    return answering(async () => {
      const applied = await applyWrites(this.parts, writes, checkpoint);
      this.parts.totals.forget();
      return applied;
    });
  }

  checkpoint(name: string): Promise<number> {
    return answering(async () => {
      const { position = 0 } = (await this.parts.readers.findOne({ _id: name }, { projection: { position: 1 } })) ?? {};
      this.parts.versions.observe(name, position);
      return position;
    });
  }

  clear(...collections: readonly Collection[]): Promise<void> {
    return answering(() => this.parts.keeping.clear(collections));
  }

  /** A total of a read model that was not seen to move since costs nothing; what is not filled from the log may change unseen. */
  private remembered<T>(version: KnownVersion, question: unknown, work: () => Promise<T>): Promise<T> {
    const { versions, totals } = this.parts;
    if (this.readAs === 'builder' || versions.positionOf(version) === 0) return work();
    return totals.of(versions.revision(), nameOf(version, question), work);
  }

  private searched(collection: Collection, version: KnownVersion): Searched {
    return { documents: this.documentsOf(version), collection, hints: this.parts.hints };
  }

  private documentsOf({ declared, generation }: KnownVersion): MongoCollection<KeptDocument> {
    return this.parts.database.collection<KeptDocument>(placesOf(declared, generation).documents);
  }

  private sought(collection: Collection, find: Find): Promise<KnownVersion> {
    return this.serving(collection, fieldsOfFind(find));
  }

  private serving(collection: Collection, names: readonly string[], asked: 'fields' | 'cells' = 'fields'): Promise<KnownVersion> {
    const { versions } = this.parts;
    return this.readAs === 'builder' ? versions.of(collection) : versions.serving(collection, asked, names);
  }
}
