import type { CheckpointState, TenantCount } from '../../domain/checkpoints/checkpoint.events.js';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { hashLeaf, MerkleTree } from './merkle-tree.js';
import { bytesOf, concatenate, sha256, sha256Text, textOf } from './primitives.js';

/** The running hash of a tenant without events. */
export const NO_EVENTS = new Uint8Array(32);
/** A buffer for a running hash and a leaf. All events share it, because creating a buffer takes longer than hashing it. */
const CHAINED = new Uint8Array(64);

/** The content of a leaf: the number of an event in the log, its stream, its revision and its hash. */
export type Leaf = {
  /** The number of the event in the log, from 1. A copy of the log on other servers has the same numbers. */
  readonly number: number;
  readonly stream: string;
  readonly revision: number;
  /** The event's own hash, as its metadata has it (contract 23.4). */
  readonly hash: string;
};

/** Returns the hash of a leaf: the leaf as canonical JSON, hashed as RFC 6962 specifies (docs/audit.md). */
export const leafHash = ({ number, stream, revision, hash: eventHash }: Leaf): Uint8Array =>
  hashLeaf(`{"hash":${JSON.stringify(eventHash)},"number":${number},"revision":${revision},"stream":${JSON.stringify(stream)}}`);

/** Returns the next running hash of a tenant: the SHA-256 of the running hash so far and the leaf of the tenant's next event. */
export const nextTenantHash = (before: Uint8Array, leaf: Uint8Array): Uint8Array => {
  // In a forged proof, the running hash and the leaf may have any length.
  if (before.length !== NO_EVENTS.length || leaf.length !== NO_EVENTS.length) return sha256(concatenate(before, leaf));
  CHAINED.set(before, 0);
  CHAINED.set(leaf, before.length);
  return sha256(CHAINED);
};

/** Returns the digest of a tenant in a checkpoint, base64url. */
export const tenantDigest = ({ tenant, count, hash: running }: TenantCount): string =>
  sha256Text(canonicalJson({ count, hash: running, tenant }));

type ProofMembers = { readonly hash: string; readonly tenant: string; readonly time: string };

/** Returns the hash, the tenant and the time in an event's metadata. All are empty texts if the metadata cannot be read. */
export const proofMembers = ({ metadata }: Pick<StoredEvent, 'metadata'>): ProofMembers => {
  // JSON.parse takes three times as long as this search. Quotes in values are escaped, so each searched text, such as
  // `,"hash":"`, only occurs where its member begins.
  const [eventHash, tenant, time] = [memberOf(metadata, ',"hash":"'), memberOf(metadata, ',"tenant":"'), memberOf(metadata, ',"time":"')];
  return eventHash !== null && tenant !== null && time !== null ? { hash: eventHash, tenant, time } : parsedMembers(metadata);
};

/** Returns the value of a member. Null if the member is not found, or if its value has an escape and must be parsed. */
const memberOf = (metadata: string, name: string): string | null => {
  const found = metadata.indexOf(name);
  const from = found + name.length;
  const to = metadata.indexOf('"', from);
  if (found < 0 || to < 0) return null;
  const value = metadata.slice(from, to);
  return value.includes('\\') ? null : value;
};

const parsedMembers = (metadata: string): ProofMembers => {
  try {
    const { hash: eventHash, tenant, time } = JSON.parse(metadata) as Record<string, unknown>;
    return { hash: memberText(eventHash), tenant: memberText(tenant), time: memberText(time) };
  } catch {
    return { hash: '', tenant: '', time: '' };
  }
};

const memberText = (value: unknown): string => (typeof value === 'string' ? value : '');

type TenantHash = { readonly count: number; readonly hash: Uint8Array };

/** The digest of a log that grows: its Merkle tree, and a count and a running hash for each tenant. */
export class LogDigest {
  private constructor(
    private readonly tree: MerkleTree,
    private readonly byTenant: Map<string, TenantHash>,
  ) {}

  static empty(): LogDigest {
    return new LogDigest(MerkleTree.empty(), new Map());
  }

  /** Continues from the state of a checkpoint that covers `size` events. Throws RangeError if the subtrees do not fit `size`. */
  static resume(size: number, { subtrees, tenants }: Pick<CheckpointState, 'subtrees' | 'tenants'>): LogDigest {
    const digests = tenants.map(({ tenant, count, hash: running }) => [tenant, { count, hash: bytesOf(running) }] as const);
    return new LogDigest(MerkleTree.resume(size, subtrees), new Map(digests));
  }

  /** The number of events. */
  get size(): number {
    return this.tree.size;
  }

  /** Adds the next event of the log. */
  add({ stream, revision, hash: eventHash, tenant }: Omit<Leaf, 'number'> & { readonly tenant: string }): void {
    const leaf = leafHash({ number: this.size + 1, stream, revision, hash: eventHash });
    this.tree.add(leaf);
    const before = this.byTenant.get(tenant) ?? { count: 0, hash: NO_EVENTS };
    this.byTenant.set(tenant, { count: before.count + 1, hash: nextTenantHash(before.hash, leaf) });
  }

  /** Returns the Merkle root, base64url. */
  root(): string {
    return this.tree.root();
  }

  /** Returns the roots of the complete subtrees, base64url. */
  subtrees(): readonly string[] {
    return this.tree.subtrees();
  }

  /** Returns the counts and running hashes, sorted by tenant. */
  tenants(): readonly TenantCount[] {
    const counts = [...this.byTenant].map(([tenant, { count, hash: running }]) => ({ tenant, count, hash: textOf(running) }));
    return counts.sort((one, other) => (one.tenant < other.tenant ? -1 : 1));
  }

  /** Returns the digests of the tenants, as a checkpoint has them. */
  tenantDigests(): readonly string[] {
    return this.tenants().map(tenantDigest).sort();
  }
}
