import type { StoredEvent } from './event-store.port.js';
import type { Lease } from './leases.port.js';

/** A value by which documents are filtered, sorted and counted. */
export type Scalar = string | number | null;

/** The values by which a document is filtered, sorted and counted. They are not part of its JSON. Booleans are 0 and 1. */
export type Fields = Readonly<Record<string, Scalar>>;

/**
 * Which queries an index in memory answers: those whose conditions are all on these fields, and whose sort is one of `orders`,
 * also reversed. The keys of such documents are UUIDs.
 */
export type Facets = {
  /** The field that every query filters by equality, such as the tenant. */
  readonly partition: string;
  /** The fields with few values, which queries filter by equality or `in`. */
  readonly filters: readonly string[];
  /**
   * The fields that queries sort by and filter by ranges: integers, or times in ISO 8601. With a leading `-`, queries sort by them
   * in descending order.
   */
  readonly orders: readonly string[];
};

/** A set of documents of one shape. A changed shape is a new version with a table of its own. */
export type Collection = {
  /** In lower_snake_case, for example `pets`. */
  readonly name: string;
  readonly version: number;
  readonly fields: Readonly<Record<string, 'text' | 'integer'>>;
  /**
   * Each index is a list of field names: first the fields that queries filter by equality, then the fields that they sort by.
   * A leading `-` sorts in descending order. The list may contain the document's key, as `key` (ascending) or `-key`
   * (descending). Without it, `-key` is appended. Fields listed after the key do not change the order, because keys are unique.
   * The index stores these fields, so that conditions on them need no read of the document.
   */
  readonly indexes: readonly (readonly string[])[];
  /** The queries that an index in memory answers, for collections that are searched by many criteria. */
  readonly facets?: Facets;
  /** The fields by which documents are counted. Each combination of values has a counter, the cell. `[]`: nothing is counted. */
  readonly cells: readonly string[];
};

/** A stored document. */
export type StoredDocument = {
  readonly key: string;
  /** The document as it is sent: JSON text. */
  readonly json: string;
  readonly fields: Fields;
  /** The revision of the last event that was applied to the document. */
  readonly revision: number;
  /** Whether there was another document of this revision, because operators have skipped other events. It is not stored. */
  readonly isRefolded?: true;
};

/** A condition on a field: a scalar means equality, `in` one of several values, `from` and `to` an inclusive range. */
export type Condition = Scalar | { readonly in: readonly Scalar[] } | { readonly from?: number | string; readonly to?: number | string };

/** Conditions by field name. A document must meet all of them. */
export type Where = Readonly<Record<string, Condition>>;

/** A query for documents: which ones, in what order, and which page. */
export type DocumentQuery = {
  readonly where: Where;
  /**
   * Field names in order. A leading `-` sorts in descending order. Nulls are last in both directions. Documents with equal
   * fields are ordered by key: ascending if `key` ends the list, otherwise descending. So, except for nulls, `['-a', 'key']` is
   * the reverse of `['a']`, and one index serves both. `['-a']` needs another index.
   */
  readonly sort: readonly string[];
  readonly limit: number;
  readonly offset: number;
};

/** Returns the fields that a query filters or sorts by. A collection version with all these fields can answer the query. */
export const queriedFields = ({ where, sort }: Pick<DocumentQuery, 'where' | 'sort'>): readonly string[] => [
  ...Object.keys(where),
  ...sort.map((term) => term.replace(/^-/, '')).filter((field) => field !== 'key'),
];

/** The JSON texts of a page, and the number of all documents that meet the conditions. */
export type DocumentPage = { readonly texts: readonly string[]; readonly total: number };

/** One change of a collection. */
export type DocumentWrite =
  | {
      readonly kind: 'put';
      readonly collection: Collection;
      readonly document: StoredDocument;
      /**
       * The revision that the stored document must have. `none`: no document may be stored under the key. If `expected` is
       * absent, the revision is not checked.
       */
      readonly expected?: number | 'none';
    }
  | { readonly kind: 'delete'; readonly collection: Collection; readonly key: string }
  /** Adds `by`, which may be negative, to the cell with these values of the collection's `cells` fields. */
  | { readonly kind: 'increment'; readonly collection: Collection; readonly cell: readonly Scalar[]; readonly by: number };

/**
 * The position of the last event that a reader of the log has handled. If several processes compete to be that reader, only
 * the owner of `lease` can move the position.
 */
export type Checkpoint = {
  /** Only the name of a version, as `checkpointOf` returns it, ends in `_v` and a number: it must be prepared before. */
  readonly name: string;
  readonly position: number;
  readonly lease?: Lease;
  /** The event at that position. It shows whether the log is still the one that the reader has read. */
  readonly event?: EventAtCheckpoint;
};

/** Identifies the event at the position of a checkpoint. */
export type EventAtCheckpoint = Pick<StoredEvent, 'stream' | 'revision' | 'id'>;

/** What a reader has handled: the position of an event, and that event. */
export type Reached = Pick<Checkpoint, 'position' | 'event'>;

/** Returns what a reader has handled after this event. */
export const reachedBy = ({ position, stream, revision, id }: StoredEvent): Reached => ({ position, event: { stream, revision, id } });

/** Returns the name of the checkpoint of a collection, for example `pets_v1`. `Documents.clear` deletes the checkpoint too. */
export const checkpointOf = ({ name, version }: Pick<Collection, 'name' | 'version'>): string => `${name}_v${version}`;

/** How often a document may be used: `times` times, less than `milliseconds` after its first use. */
export type UseLimit = { readonly times: number; readonly milliseconds: number };

/**
 * Stores documents and counters. Documents of read models can be rebuilt from the log. Deliveries, and the state that no event
 * contains (StateStore), are documents, too, and cannot be rebuilt.
 */
export abstract class Documents {
  /** Creates the collection and its indexes if they do not exist. */
  abstract prepare(collection: Collection): Promise<void>;
  abstract get(collection: Collection, key: string): Promise<StoredDocument | null>;
  abstract find(collection: Collection, find: DocumentQuery): Promise<readonly StoredDocument[]>;
  /**
   * Returns a page and its total, both from one state of an index in memory. Null if there is no index that answers the query: then
   * `texts`, and `sum` or `count`, do.
   */
  abstract page(collection: Collection, find: DocumentQuery): Promise<DocumentPage | null>;
  /** Returns the JSON texts of the documents that `find` would return, for callers that do not parse them. */
  abstract texts(collection: Collection, find: DocumentQuery): Promise<readonly string[]>;
  /** Counts documents exactly, by reading an index: slow if many match. Prefer `sum`. */
  abstract count(collection: Collection, where: Where): Promise<number>;
  /** Adds up the matching cells, grouped by the value of the field `by`. Without `by`, the only key of the result is `''`. */
  abstract sum(collection: Collection, where: Where, by?: string): Promise<Readonly<Record<string, number>>>;
  /**
   * Applies all of the writes or none, and moves the checkpoint in the same transaction. Returns false and changes nothing if
   * the stored position is already at or after that of `checkpoint`. So if a message is handled twice, the second time changes
   * nothing. Also returns false and changes nothing if a write expects another revision than the stored document has.
   *
   * If the response to a call was lost, a repeated call may return false because the first call succeeded. Rejects with
   * LeaseLost and changes nothing if the checkpoint's lease has another owner.
   */
  abstract apply(writes: readonly DocumentWrite[], checkpoint?: Checkpoint): Promise<boolean>;
  /**
   * Counts a use of a document in one step, by the clock of the database. The collection has the integer fields `uses`, and
   * `firstUsedAt` in milliseconds since 1970. The first use stores `document` if none is stored under its key. Each use raises the
   * revision. Returns the number of uses with this one. Returns null and changes nothing if the document was used `times`
   * times, or was first used `milliseconds` ago or earlier.
   */
  abstract use(collection: Collection, document: StoredDocument, limit: UseLimit): Promise<number | null>;
  /** Returns the stored position of a reader, 0 if it has none. */
  abstract checkpoint(name: string): Promise<number>;
  /** Deletes the collections' documents, cells and checkpoints in one transaction, for a rebuild. */
  abstract clear(...collections: readonly Collection[]): Promise<void>;
}
