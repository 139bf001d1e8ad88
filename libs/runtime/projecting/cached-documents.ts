import type { Collection, Documents, DocumentWrite, StoredDocument } from '../../eventsourcing/ports/documents.port.js';

/** Documents kept between batches. */
const KEPT = 20_000;
/** Characters of theirs, whichever is reached first. */
const KEPT_CHARACTERS = 64_000_000;
/** Documents read at the same time. */
const LOADED_AT_ONCE = 200;
/** Characters of documents worked on in one step: each is written anew, and a transaction takes only so much. */
const MOST_CHARACTERS = 8_000_000;

/** Documents of one collection, kept in memory between batches by their only writer: the owner of the lease. */
export class CachedDocuments {
  private readonly kept = new Map<string, StoredDocument | null>();
  private characters = 0;

  constructor(
    private readonly documents: Pick<Documents, 'get'>,
    private readonly collection: Collection,
  ) {}

  /** Returns a document that was loaded; null when there is none. */
  get(key: string): StoredDocument | null {
    return this.kept.get(key) ?? null;
  }

  /** Reads what is not kept yet. Returns whether all of them are there, and are not too much to be worked on in one step. */
  async load(keys: readonly string[]): Promise<boolean> {
    const wanted = [...new Set(keys)];
    this.forgetBefore(wanted);
    let characters = 0;
    for (let from = 0; from < wanted.length; from += LOADED_AT_ONCE) {
      const some = wanted.slice(from, from + LOADED_AT_ONCE);
      const missing = some.filter((key) => !this.kept.has(key));
      await Promise.all(missing.map(async (key) => this.keep(key, await this.documents.get(this.collection, key))));
      for (const key of some) characters += sizeOf(this.kept.get(key));
      if (characters > MOST_CHARACTERS) return false;
    }
    return true;
  }

  /** Keeps what was written. */
  update(writes: readonly DocumentWrite[]): void {
    for (const write of writes) {
      if (write.kind === 'put') this.keep(write.document.key, write.document);
      else if (write.kind === 'delete') this.keep(write.key, null);
    }
  }

  private forgetBefore(wanted: readonly string[]): void {
    const missing = wanted.filter((key) => !this.kept.has(key)).length;
    if (this.kept.size + missing <= KEPT && this.characters <= KEPT_CHARACTERS) return;
    const needed = new Set(wanted);
    for (const [key, document] of this.kept) {
      if (needed.has(key)) continue;
      this.kept.delete(key);
      this.characters -= sizeOf(document);
    }
  }

  private keep(key: string, document: StoredDocument | null): void {
    this.characters += sizeOf(document) - sizeOf(this.kept.get(key));
    this.kept.set(key, document);
  }
}

const sizeOf = (document: StoredDocument | null | undefined): number => document?.json.length ?? 0;
