import type { Lease } from './leases.port.js';

/** A value that documents are found, sorted and counted by. */
export type Scalar = string | number | null;

/** The values by which a document is found, sorted and counted; never shown. Booleans are 0 and 1. */
export type Fields = Readonly<Record<string, Scalar>>;

/** A set of documents of one shape. A changed shape is a new version beside the old one, never the same table. */
export type Collection = {
  /** lower_snake_case, as `pets`. */
  readonly name: string;
  readonly version: number;
  readonly fields: Readonly<Record<string, 'text' | 'integer'>>;
  /**
   * Each a list of field names: those asked for by value, then those sorted by; a leading `-` sorts downwards. Ties are
   * settled by `-key`, which ends the list unless `key` or `-key` is named; fields named after it are carried along, so that conditions
   * on them need not open the document.
   */
  readonly indexes: readonly (readonly string[])[];
  /** The fields whose combinations are counted in cells; `[]` when nothing is counted. */
  readonly cells: readonly string[];
};

/** A document at rest. */
export type StoredDocument = {
  readonly key: string;
  /** The document as it goes out: JSON text. */
  readonly json: string;
  readonly fields: Fields;
  /** Revision of the last event in it. */
  readonly revision: number;
};

/** All conditions must hold: a scalar is equality, `in` one of several, `from`/`to` an inclusive range. */
export type Condition = Scalar | { readonly in: readonly Scalar[] } | { readonly from?: number | string; readonly to?: number | string };

/** Conditions by field name. */
export type Where = Readonly<Record<string, Condition>>;

/** Which documents are asked for, in what order, and which stretch of them. */
export type Find = {
  readonly where: Where;
  /**
   * Field names in order; a leading `-` sorts downwards. Nulls come last either way. Ties are settled by key, downwards unless `key` ends
   * the list: an index serves a field in both directions only where its ties turn with it.
   */
  readonly sort: readonly string[];
  readonly limit: number;
  readonly offset: number;
};

/** The fields that a find has conditions on or sorts by: a version that has all of them can answer it. */
export const fieldsOfFind = ({ where, sort }: Pick<Find, 'where' | 'sort'>): readonly string[] => [
  ...Object.keys(where),
  ...sort.map((term) => term.replace(/^-/, '')).filter((field) => field !== 'key'),
];

/** One change of a collection. */
export type DocumentWrite =
  | {
      readonly kind: 'put';
      readonly collection: Collection;
      readonly document: StoredDocument;
      /** The revision that the stored document must have, or `none` when there must be none; whatever it is unless told. */
      readonly expected?: number | 'none';
    }
  | { readonly kind: 'delete'; readonly collection: Collection; readonly key: string }
  /** Adds `by` (may be negative) to the cell with these values of the collection's `cells` fields. */
  | { readonly kind: 'increment'; readonly collection: Collection; readonly cell: readonly Scalar[]; readonly by: number };

/**
 * How far a reader of the log has come: the position of the last event it has dealt with. Where several processes could
 * be that reader, it names the lease it works under.
 */
export type Checkpoint = { readonly name: string; readonly position: number; readonly lease?: Lease };

/** The name of the checkpoint of what fills a collection from the log: `pets_v1`. `Documents.clear` forgets it. */
export const checkpointOf = ({ name, version }: Pick<Collection, 'name' | 'version'>): string => `${name}_v${version}`;

/** The read models: documents and counters, made from the log and replaceable by it. */
export interface Documents {
  /** Makes the collection ready: its place and its indexes. Asking twice does no harm. */
  prepare(collection: Collection): Promise<void>;
  get(collection: Collection, key: string): Promise<StoredDocument | null>;
  find(collection: Collection, find: Find): Promise<readonly StoredDocument[]>;
  /** The JSON texts of what `find` answers, for callers that only pass them on: a page of a list. */
  texts(collection: Collection, find: Find): Promise<readonly string[]>;
  /** Counts documents by walking an index: exact, and slow where much matches. Prefer `sum`. */
  count(collection: Collection, where: Where): Promise<number>;
  /** Adds up the cells that match, grouped by the field `by` (as text) where one is given; without it the key is `''`. */
  sum(collection: Collection, where: Where, by?: string): Promise<Readonly<Record<string, number>>>;
  /**
   * Does all of the writes or none. With a checkpoint it is moved in the same step, and writes whose position is not
   * after the stored one change nothing and answer false: a message that comes twice counts once. So do writes one of which
   * expects another revision than the stored document's; where the answer to a write was lost, asking again may answer false
   * of one's own. Rejects with LeaseLost, and changes nothing, when the checkpoint's lease is no longer its holder's.
   */
  apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint): Promise<boolean>;
  /** The stored position of a reader, 0 when it has none. */
  checkpoint(name: string): Promise<number>;
  /** Forgets the collections' documents and cells, and how far they went, all in one step, in order to build them anew. */
  clear(...collections: readonly Collection[]): Promise<void>;
}
