import type { Collection } from '../../../../eventsourcing/ports/documents.port.js';

/**
 * The checkpoint of a reader of the log. The record of a collection's version has the version's name
 * (`pets_v1`) and also the generation of its documents, so that both change together.
 */
export type ReaderRecord = {
  readonly _id: string;
  readonly position: number;
  /** Id of the last write that moved it. Proves a commit whose answer was lost. */
  readonly write?: string;
  /** The lease of the last write. Clearing or dropping the version revokes it. */
  readonly lease?: string;
} & Partial<VersionRecord>;

/** The state of a collection's version. */
export type VersionRecord = {
  readonly declared: Pick<Collection, 'name' | 'version' | 'fields' | 'cells'>;
  /** Incremented by each clear: new documents go to new MongoDB collections, and the old ones are dropped. */
  readonly generation: number;
  /** Whether it has been complete. Then queries use it until a newer one is complete. */
  readonly inService: boolean;
};

/** The record of a version. */
export type VersionDocument = VersionRecord & { readonly _id: string };

/**
 * Returns whether a checkpoint's name is a version's. Such a record exists only with its version: a process
 * that still fills a dropped version does not recreate it.
 */
export const isVersionName = (name: string): boolean => /_v[0-9]+$/.test(name);

/** Returns whether a record is a version's. */
export const isVersion = (record: ReaderRecord): record is ReaderRecord & VersionDocument => record.declared !== undefined;
