import type { Lease } from './leases.port.js';

/** A value by which documents are filtered, sorted and counted. */
export type Scalar = string | number | null;

/**
 * The values by which a document is filtered, sorted and counted. They are not part of its JSON. Booleans are
 * 0 and 1.
 */
export type Fields = Readonly<Record<string, Scalar>>;

/** A set of documents of one shape. A changed shape is a new version with a table of its own. */
export type Collection = {
  /** In lower_snake_case, for example `pets`. */
  readonly name: string;
  readonly version: number;
  readonly fields: Readonly<Record<string, 'text' | 'integer'>>;
  /**
   * Each index is a list of field names: first the fields filtered by equality, then the fields sorted by. A
   * leading `-` sorts in descending order. Equal documents are ordered by key, descending unless the list
   * names `key`. Fields listed after the key are stored in the index, so conditions on them do not read the
   * document.
   */
  readonly indexes: readonly (readonly string[])[];
  /** A cell is a counter for one combination of values of these fields. `[]` if nothing is counted. */
  readonly cells: readonly string[];
};

/** A stored document. */
export type StoredDocument = {
  readonly key: string;
  /** The document as it is sent: JSON text. */
  readonly json: string;
  readonly fields: Fields;
  /** Revision of the last event in it. */
  readonly revision: number;
};

/**
 * All conditions must be met: a scalar means equality, `in` one of several, `from`/`to` an inclusive range.
 */
export type Condition = Scalar | { readonly in: readonly Scalar[] } | { readonly from?: number | string; readonly to?: number | string };

/** Conditions by field name. */
export type Where = Readonly<Record<string, Condition>>;

/** A query for documents: which ones, in what order, and which page. */
export type DocumentQuery = {
  readonly where: Where;
  /**
   * Field names in order. A leading `-` sorts in descending order. Nulls are last in both directions. Equal
   * documents are ordered by key, descending unless `key` ends the list. An index serves both directions of a
   * field only if the order of the keys is reversed too.
   */
  readonly sort: readonly string[];
  readonly limit: number;
  readonly offset: number;
};

/**
 * Returns the fields that a query filters or sorts by. A version that has all of them can answer the query.
 */
export const queriedFields = ({ where, sort }: Pick<DocumentQuery, 'where' | 'sort'>): readonly string[] => [
  ...Object.keys(where),
  ...sort.map((term) => term.replace(/^-/, '')).filter((field) => field !== 'key'),
];

/** One change of a collection. */
export type DocumentWrite =
  | {
      readonly kind: 'put';
      readonly collection: Collection;
      readonly document: StoredDocument;
      /**
       * The revision that the stored document must have, or `none` if there must be none. Not checked if
       * absent.
       */
      readonly expected?: number | 'none';
    }
  | { readonly kind: 'delete'; readonly collection: Collection; readonly key: string }
  /** Adds `by`, which may be negative, to the cell with these values of the collection's `cells` fields. */
  | { readonly kind: 'increment'; readonly collection: Collection; readonly cell: readonly Scalar[]; readonly by: number };

/**
 * The position of the last event that a reader of the log has handled. If several processes could be that
 * reader, it names the reader's lease.
 */
export type Checkpoint = { readonly name: string; readonly position: number; readonly lease?: Lease };

/**
 * Returns the name of the checkpoint of a collection, for example `pets_v1`. `Documents.clear` deletes that
 * checkpoint.
 */
export const checkpointOf = ({ name, version }: Pick<Collection, 'name' | 'version'>): string => `${name}_v${version}`;

/**
 * Documents and counters. The read models among them can be rebuilt from the log. Deliveries and the hashes of
 * passwords cannot.
 */
export interface Documents {
  /** Creates the collection and its indexes if they do not exist. */
  prepare(collection: Collection): Promise<void>;
  get(collection: Collection, key: string): Promise<StoredDocument | null>;
  find(collection: Collection, find: DocumentQuery): Promise<readonly StoredDocument[]>;
  /** Returns the JSON texts of the documents that `find` would return, for callers that do not parse them. */
  texts(collection: Collection, find: DocumentQuery): Promise<readonly string[]>;
  /** Counts documents exactly, by reading an index: slow if many match. Prefer `sum`. */
  count(collection: Collection, where: Where): Promise<number>;
  /** Adds up the matching cells, grouped by the field `by` (as text) if given. Without it the key is `''`. */
  sum(collection: Collection, where: Where, by?: string): Promise<Readonly<Record<string, number>>>;
  /**
   * Applies all of the writes or none. A checkpoint is moved in the same transaction. Returns false and
   * changes nothing if the checkpoint's position is not after the stored one, so that a repeated message
   * counts once. Returns false and changes nothing if a write expects another revision than the stored
   * document's.
   *
   * If the response to a call was lost, a repeated call may return false because the first one succeeded.
   * Rejects with LeaseLost and changes nothing if the checkpoint's lease has another owner.
   */
  apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint): Promise<boolean>;
  /** Returns the stored position of a reader, 0 if it has none. */
  checkpoint(name: string): Promise<number>;
  /** Deletes the collections' documents, cells and checkpoints in one transaction, for a rebuild. */
  clear(...collections: readonly Collection[]): Promise<void>;
}
