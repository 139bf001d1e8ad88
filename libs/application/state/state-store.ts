import { MAX_ATTEMPTS } from '../../eventsourcing/handle.js';
import type { Collection, Documents, Fields, StoredDocument, UseLimit, Where } from '../../eventsourcing/ports/documents.port.js';

/** A value, and the fields by which it is found. */
export type StateEntry<Value> = {
  readonly key: string;
  readonly value: Value;
  readonly fields: Fields;
};

/** An entry as it is stored. Each change raises `version`. */
export type StoredEntry<Value> = StateEntry<Value> & { readonly version: number };

/** What a change has come to. `contended`: others changed the entry at each attempt, and nothing was stored. */
export type ChangeOutcome = 'changed' | 'unchanged' | 'contended';

/** A page of entries, in the order of `sort`, as in DocumentQuery. */
type Page = { readonly sort: readonly string[]; readonly limit: number; readonly offset: number };

/** The maximum number of entries that one write deletes. */
const BATCH = 500;

/**
 * Stores one kind of state that no event contains, such as the hashes of passwords, sessions and OAuth clients. Unlike a read
 * model, it cannot be rebuilt from the log, so backups and copies contain it. `Value` is stored as JSON. A collection with entries
 * that expire has an index on the time, by which `deleteWhere` deletes them.
 */
export class StateStore<Value> {
  constructor(
    private readonly documents: Documents,
    private readonly collection: Collection,
  ) {}

  /** Returns an entry, or null. */
  async get(key: string): Promise<StoredEntry<Value> | null> {
    const document = await this.documents.get(this.collection, key);
    return document && entryOf<Value>(document);
  }

  /**
   * Stores an entry, durably when the call resolves. `expected` is the version that the stored entry must have, or `none` if the key
   * must be free. Otherwise returns false and changes nothing. So of several concurrent calls with one version, one returns true.
   */
  put({ key, value, fields }: StateEntry<Value>, expected: number | 'none'): Promise<boolean> {
    const revision = expected === 'none' ? 1 : expected + 1;
    const document = { key, json: JSON.stringify(value), fields, revision };
    return this.documents.apply([{ kind: 'put', collection: this.collection, document, expected }]);
  }

  /**
   * Stores what `decide` makes of an entry, or of null if the key is free. Returns `unchanged` if that is null. If another call changes
   * the entry at the same time, reads it and decides again, up to MAX_ATTEMPTS times.
   */
  async change(
    key: string,
    decide: (stored: StoredEntry<Value> | null) => Omit<StateEntry<Value>, 'key'> | null | Promise<Omit<StateEntry<Value>, 'key'> | null>,
  ): Promise<ChangeOutcome> {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const stored = await this.get(key);
      const decided = await decide(stored);
      if (!decided) return 'unchanged';
      if (await this.put({ key, ...decided }, stored?.version ?? 'none')) return 'changed';
    }
    return 'contended';
  }

  /** Counts a use of an entry, as `Documents.use` does. The first use stores `entry` if the key is free. */
  use({ key, value, fields }: StateEntry<Value>, limit: UseLimit): Promise<number | null> {
    return this.documents.use(this.collection, { key, json: JSON.stringify(value), fields, revision: 0 }, limit);
  }

  /** Returns a page of the entries that meet all conditions. */
  async find(where: Where, page: Page): Promise<readonly StoredEntry<Value>[]> {
    return (await this.documents.find(this.collection, { where, ...page })).map(entryOf<Value>);
  }

  count(where: Where): Promise<number> {
    return this.documents.count(this.collection, where);
  }

  /** Deletes entries. A repeated call does nothing. */
  async delete(...keys: readonly string[]): Promise<void> {
    if (keys.length > 0) await this.documents.apply(keys.map((key) => ({ kind: 'delete', collection: this.collection, key })));
  }

  /** Deletes the entries that meet all conditions and that `isDeleted` accepts, in batches. An index begins with the condition's field. */
  async deleteWhere(where: Where, isDeleted: (entry: StoredEntry<Value>) => boolean = () => true): Promise<void> {
    for (let kept = 0; ;) {
      // In the order of the index, so that each batch reads only its own entries.
      const page = await this.find(where, { sort: Object.keys(where), limit: BATCH, offset: kept });
      const deleted = page.filter(isDeleted);
      await this.delete(...deleted.map(({ key }) => key));
      if (page.length < BATCH) return;
      kept += page.length - deleted.length;
    }
  }
}

const entryOf = <Value>({ key, json, fields, revision }: StoredDocument): StoredEntry<Value> => ({
  key,
  value: JSON.parse(json) as Value,
  fields,
  version: revision,
});
