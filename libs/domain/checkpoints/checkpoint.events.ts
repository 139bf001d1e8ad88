import type { Message } from '../../eventsourcing/message.js';

/**
 * What a checkpoint states about the first `size` events of the log (contract 35.2). Its signature covers exactly
 * these members. docs/audit.md describes every byte.
 */
export type Checkpoint = {
  readonly version: 'petstore-checkpoint/1';
  /** The id of the store. */
  readonly store: string;
  /** The number of the checkpoint in the chain of checkpoints, from 0. */
  readonly index: number;
  /** The number of events that the checkpoint covers, counted from the first event of the log. */
  readonly size: number;
  /** The Merkle root (RFC 6962) of those events, base64url. */
  readonly root: string;
  /** When the checkpoint was made, RFC 3339. */
  readonly time: string;
  /** The digest of the previous checkpoint, base64url. The first checkpoint has an empty text. */
  readonly previous: string;
  /** A digest for each tenant with events, sorted. A digest hides its tenant from those who do not know the tenant's events. */
  readonly tenants: readonly string[];
  /** The thumbprint (RFC 7638) of the key that signed the checkpoint. */
  readonly keyId: string;
};

/** A checkpoint with its Ed25519 signature, base64url. */
export type SignedCheckpoint = { readonly checkpoint: Checkpoint; readonly signature: string };

/** The number of events of a tenant, and the running hash over them, base64url. */
export type TenantCount = { readonly tenant: string; readonly count: number; readonly hash: string };

/** The state from which the next checkpoint continues. It is not signed, because anyone can compute it from the log. */
export type CheckpointState = {
  /** The position in the log and the id of the last event that the checkpoint covers. */
  readonly last: { readonly position: number; readonly id: string };
  /** The roots of the complete subtrees of the Merkle tree, from the largest to the smallest, base64url. */
  readonly subtrees: readonly string[];
  readonly tenants: readonly TenantCount[];
};

/** The event that records a checkpoint. All such events are on the stream `checkpoint`. */
export type CheckpointEvent = Message<'CheckpointSigned', SignedCheckpoint & { readonly state: CheckpointState }>;

/** The stream of all checkpoints. */
export const CHECKPOINT_STREAM = 'checkpoint';

/**
 * How many messages a tenant has in each topic on one day. The day of a message is the UTC day of its `ce_time`
 * (contract 35.7). The signature covers exactly these members. docs/audit.md describes every byte.
 */
export type MessageCount = {
  readonly version: 'petstore-count/1';
  /** The id of the store. */
  readonly store: string;
  /** The number of the count among all counts of the store, from 0. */
  readonly index: number;
  /** Counts are made in sets. `part` is the number of this count in its set, from 1. `parts` is the size of the set. */
  readonly part: number;
  readonly parts: number;
  readonly tenant: string;
  /** For example `2026-01-02`. */
  readonly day: string;
  /** The topics with messages, sorted. Their names have no namespace. */
  readonly topics: readonly TopicCount[];
  /** The thumbprint (RFC 7638) of the key that signed the count. */
  readonly keyId: string;
};

/** The number of messages in a topic. */
export type TopicCount = { readonly topic: string; readonly count: number };

/** A count with its Ed25519 signature, base64url. */
export type SignedCount = { readonly count: MessageCount; readonly signature: string };

/** The position and the id of an event in the log. Position 0 and an empty id mean the start of the log. */
export type LogPlace = { readonly position: number; readonly id: string };

/** The state from which the next set of counts continues. It is the same in all counts of a set. */
export type CountState = {
  /** The first day that this set does not count. The next set counts the messages of this day and later. */
  readonly openDay: string;
  /** The last event that this set read. The next set counts every later event, even if its day is before `openDay`. */
  readonly last: LogPlace;
  /**
   * The event just before the first event whose day is `openDay` or later. The next set begins to read after `from`. Equals
   * `last` if this set read no event of such a day.
   */
  readonly from: LogPlace;
};

/**
 * The event that records a count. All such events are on the stream `checkpoint-counts`. The category of this stream is
 * `checkpoint`, so the messages of counts are in the topic of checkpoints.
 */
export type CountEvent = Message<'MessagesCounted', SignedCount & { readonly state: CountState }>;

/** The stream of all counts. */
export const COUNT_STREAM = 'checkpoint-counts';
