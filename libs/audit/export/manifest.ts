import type { SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { bytesOf, textOf } from '../proof/primitives.js';
import { isSignedBy, type PublicKeys } from '../proof/signatures.js';
import type { ExportedEvent } from './exported-event.js';

/** The events that an export selects. Times are RFC 3339 in UTC with milliseconds. A member that is null sets no limit. */
export type ExportScope = {
  /** The start of the time range, inclusive. */
  readonly from: string | null;
  /** The end of the time range, exclusive. */
  readonly to: string | null;
  readonly tenant: string | null;
  readonly stream: string | null;
};

/**
 * The proof in an export of the whole log or of a stream. The root of the checkpoint `cover` is computed from `nodes` and the
 * leaves of the shown events.
 */
export type TreeProof = { readonly nodes: readonly string[] };

/**
 * The proof in an export of a tenant. The tenant's digest in the checkpoint `cover` is computed from these values and the leaves
 * of the shown events.
 */
export type TenantProof = {
  /** The number of the tenant's events that the checkpoint `base` covers. */
  readonly count: number;
  /** The running hash of these events. */
  readonly hash: string;
  /** The leaves of the tenant's hidden events: those before the shown events, and those after them. */
  readonly leavesBefore: readonly string[];
  readonly leavesAfter: readonly string[];
};

/** The signed statement of an export. docs/audit.md describes every byte. */
export type ExportManifest = ExportScope & {
  readonly version: 'petstore-export/1';
  /** The id of the store. */
  readonly store: string;
  /** The number of events in events.ndjson. */
  readonly count: number;
  /** The SHA-256 of events.ndjson, base64url. */
  readonly digest: string;
  /** The last checkpoint before `from`, or null. */
  readonly base: SignedCheckpoint | null;
  /** The first checkpoint at or after `to`. Without `to`, the checkpoint that was the last one when the export began. */
  readonly cover: SignedCheckpoint;
  /**
   * The events of the scope just before and just after the range, which prove that the range is complete. Null if the scope has
   * no such event, and in an export of a stream. `eventBefore` is also null without `from`, and `eventAfter` without `to`.
   */
  readonly eventBefore: ExportedEvent | null;
  readonly eventAfter: ExportedEvent | null;
  readonly proof: TreeProof | TenantProof;
  /** The thumbprint (RFC 7638) of the key that signed the manifest. */
  readonly keyId: string;
};

type SignedManifest = { readonly manifest: ExportManifest; readonly signature: string };

/** Returns the text of manifest.json. */
export const signedText = (signed: Partial<SignedManifest> | null): string => `${canonicalJson(signed)}\n`;

/** Returns the manifest in the text of manifest.json, or why it is not genuine. */
export const readManifest = (keys: PublicKeys, text: string): ExportManifest | { readonly reason: string } => {
  const signed = parse(text);
  const { manifest, signature } = signed ?? {};
  if (manifest?.version !== 'petstore-export/1' || typeof signature !== 'string') return { reason: 'it is not the manifest of an export' };
  if (!keys.has(manifest.keyId)) return { reason: `the key ${manifest.keyId} is not among the known public keys` };
  const isExact = signedText(signed) === text && textOf(bytesOf(signature)) === signature;
  return isExact && isSignedBy(keys, manifest.keyId, manifest, signature) ? manifest : { reason: 'its signature is not valid' };
};

const parse = (text: string): Partial<SignedManifest> | null => {
  try {
    return JSON.parse(text) as Partial<SignedManifest> | null;
  } catch {
    return null;
  }
};
