/** A stored blob, as `list` returns it. */
export type ListedBlob = { readonly name: string; readonly storedAt: Date };

/** A blob that can be read. */
export type OpenBlob = {
  /** Bytes. */
  readonly size: number;
  /**
   * Reads the bytes from `from` (default 0) up to `to`, which is not included (default: the size). Rejects with
   * StoreUnavailable if the store cannot be reached, or if the blob is removed during the read.
   */
  readonly read: (from?: number, to?: number) => AsyncIterable<Uint8Array>;
};

/**
 * Stores bytes by name. A name has 1 to 200 characters of `A-Za-z0-9_.-` and begins with a letter or digit. The name of a blob
 * contains the digest of its bytes, so a blob never changes. All methods reject with StoreUnavailable while the store cannot
 * be reached.
 */
export abstract class Blobs {
  /**
   * Stores a blob. When this resolves, the blob is durable and complete, and the caller may overwrite `bytes`. Before that,
   * `open` and `list` do not return the blob. A repeated call renews the time when the blob was stored.
   */
  abstract put(name: string, bytes: Uint8Array): Promise<void>;
  /** Returns a blob, or null if there is none with this name. */
  abstract open(name: string): Promise<OpenBlob | null>;
  /** Removes a blob. With `storedBefore`, removes it only if it was stored before that time. A repeated call does nothing. */
  abstract remove(name: string, storedBefore?: Date): Promise<void>;
  /** Yields all complete blobs, in any order. A blob that is stored or removed during the listing may be missing. */
  abstract list(): AsyncIterable<ListedBlob>;
  /** Removes the incomplete blobs that interrupted calls of `put` have left, if those calls began before the time `before`. */
  abstract removeUnfinished(before: Date): Promise<void>;
}
