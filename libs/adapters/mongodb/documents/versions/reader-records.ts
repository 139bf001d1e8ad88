import type { Collection, EventAtCheckpoint } from '../../../../eventsourcing/ports/documents.port.js';

/**
 * The checkpoint of a reader of the log. If the reader fills a version of a collection, the record has the name of that
 * version, for example `pets_v1`. Such a record also has the generation of the documents, so that checkpoint and
 * generation change together.
 */
export type ReaderRecord = {
  readonly _id: string;
  readonly position: number;
  /**
   * The id of the last write that moved the checkpoint. If the response to a commit is lost, a retry finds
   * its own id here, which means that the commit succeeded.
   */
  readonly write?: string;
  /** The name of the lease under which the last write was made. Clearing or dropping the version revokes the lease. */
  readonly lease?: string;
  /** The event at the position. Absent if the last write named none. */
  readonly event?: EventAtCheckpoint;
} & Partial<VersionRecord>;

/** The state of a collection's version. */
export type VersionRecord = {
  readonly declared: Pick<Collection, 'name' | 'version' | 'fields' | 'cells'>;
  /** Incremented when the version is cleared: documents are then written to new MongoDB collections. */
  readonly generation: number;
  /**
   * The version of which the documents are a generation. Absent: the declared one. A fill is a generation of the version that it may
   * replace, so that a process of an older release finds the documents after that.
   */
  readonly of?: Pick<Collection, 'name' | 'version'>;
  /** Whether queries use the version: from its first completion until it is cleared or a newer version is complete. */
  readonly inService: boolean;
};

/** The record of a version. */
export type VersionDocument = VersionRecord & { readonly _id: string };

/**
 * Returns whether a checkpoint's name is the name of a version. Only `prepare` creates the record of a version.
 * Writes never create such a record, so a process that still fills a dropped version cannot restore it.
 */
export const isVersionName = (name: string): boolean => /_v[0-9]+$/.test(name);

/** Returns whether a record belongs to a version. */
export const isVersion = (record: ReaderRecord): record is ReaderRecord & VersionDocument => record.declared !== undefined;
