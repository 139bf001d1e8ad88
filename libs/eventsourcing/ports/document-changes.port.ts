import type { Fields } from './documents.port.js';

/** What follows the documents of a collection, for example an index in memory. */
export type DocumentFollower = {
  /** A document that was stored before the follower began. Each key comes once, in the order of the keys. */
  load(key: string, fields: Fields): void;
  /** Called once, after the last `load`. The changes follow, and repeat what may have changed while the documents were loaded. */
  loaded(): void;
  /** A document has these fields now. Null: it was deleted. */
  change(key: string, fields: Fields | null): void;
  /** The follower has been told of all changes by events up to this position of the log. */
  reach(position: number): void;
};

/**
 * The documents of collections, and their changes in the order of the commits: what queries read, and nothing before they can read it.
 * So whoever follows them shows a parked, skipped, paused or switched read model as the documents do.
 */
export abstract class DocumentChanges<Of> {
  /**
   * Tells a follower of the documents and their changes. Resolves when the documents were dropped or replaced. Rejects when they cannot
   * be followed, for example because one is damaged.
   */
  abstract follow(of: Of, follower: DocumentFollower): Promise<void>;
}
