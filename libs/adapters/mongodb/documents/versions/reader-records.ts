import type { Collection } from '../../../../eventsourcing/ports/documents.port.js';

/**
 * How far a reader of the log has come. That of a collection's version (named as the version is, `pets_v1`) also says
 * where its documents are, so that a position and the documents it speaks of change hands together.
 */
export type ReaderRecord = {
  readonly _id: string;
  readonly position: number;
  /** Of the write that moved it last: shows that a commit was done whose answer was lost. */
  readonly write?: string;
  /** The lease under which it was moved last: emptying or dropping the version takes it away. */
  readonly lease?: string;
} & Partial<VersionRecord>;

/** What is known of a collection's version. */
export type VersionRecord = {
  readonly declared: Pick<Collection, 'name' | 'version' | 'fields' | 'cells'>;
  /** Raised whenever the documents are forgotten: what is built anew lies in a new place, and the old one is dropped. */
  readonly generation: number;
  /** Whether it was complete once: then it is shown, until a newer one is. */
  readonly inService: boolean;
};

/** A version's record. */
export type KnownVersion = VersionRecord & { readonly _id: string };

/**
 * Whether a checkpoint of that name is a version's: such a record is created and dropped with its version. A process
 * that still fills a dropped version creates none.
 */
export const isVersionName = (name: string): boolean => /_v[0-9]+$/.test(name);

/** Whether it is a version's. */
export const isVersion = (record: ReaderRecord): record is ReaderRecord & KnownVersion => record.declared !== undefined;
