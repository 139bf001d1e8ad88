import type { Collection } from '../../../../eventsourcing/ports/documents.port.js';

/**
 * The checkpoint of a reader of the log. The record of a reader that fills a version of a collection has the
 * version's name (`pets_v1`). It also has the generation of the documents, so that checkpoint and generation
 * change together.
 */
export type ReaderRecord = {
  readonly _id: string;
  readonly position: number;
  /**
   * The id of the last write that moved the checkpoint. After a lost response to a commit, a retry finds its
   * own id here.
   */
  readonly write?: string;
  /** The lease of the last write. Clearing or dropping the version revokes it. */
  readonly lease?: string;
} & Partial<VersionRecord>;

/** The state of a collection's version. */
export type VersionRecord = {
  readonly declared: Pick<Collection, 'name' | 'version' | 'fields' | 'cells'>;
  /** Incremented when the version is cleared: documents are then written to new MongoDB collections. */
  readonly generation: number;
  /** Whether the version has ever been complete. Queries then use it until a newer version is complete. */
  readonly inService: boolean;
};

/** The record of a version. */
export type VersionDocument = VersionRecord & { readonly _id: string };

/**
 * Returns whether the name of a checkpoint is that of a version. Only `prepare` creates the record of a
 * version, so that a process that still fills a dropped version does not create it again.
 */
export const isVersionName = (name: string): boolean => /_v[0-9]+$/.test(name);

/** Returns whether a record is a version's. */
export const isVersion = (record: ReaderRecord): record is ReaderRecord & VersionDocument => record.declared !== undefined;
