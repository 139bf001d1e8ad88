import { nextTenantHash, NO_EVENTS, tenantDigest } from '../proof/log-digest.js';
import { EventSequence } from './event-sequence.js';
import { leafOf, type ExportedEvent } from './exported-event.js';
import type { ExportManifest, TenantProof, TreeProof } from './manifest.js';
import { rootFrom, type ShownLeaf } from './sparse-tree.js';

/**
 * Returns why the events of an export are not those that its checkpoint covers, or null if they are. `events` includes the
 * events before and after the range. Always reads all events, so that the caller can use the digest of the file.
 */
export const proveEvents = (statement: ExportManifest, events: Generator<ExportedEvent>): string | null => {
  const sequence = new EventSequence(statement);
  const leaves = leavesOf(events, sequence);
  const { tenant, proof } = statement;
  const isProven =
    tenant === null ? isInTree(statement, proof as TreeProof, leaves) : isWholeTenant(statement, tenant, proof as TenantProof, leaves);
  return sequence.end() ?? (isProven ? null : 'its events are not those that the checkpoint covers');
};

const leavesOf = function* (events: Iterable<ExportedEvent>, sequence: EventSequence): Generator<ShownLeaf> {
  for (const event of events) {
    sequence.add(event);
    yield { number: event.number, leaf: leafOf(event) };
  }
};

const isInTree = ({ cover }: ExportManifest, { nodes }: TreeProof, leaves: Generator<ShownLeaf>): boolean =>
  rootFrom(cover.checkpoint.size, leaves, nodes) === cover.checkpoint.root;

/**
 * Computes the tenant's digest from the tenant's running hash at `base` and all later leaves, and returns whether `cover` has
 * this digest. Returns false if there are hidden leaves before the range without `eventBefore`, or hidden leaves after the range
 * without `eventAfter`. Such leaves could be events of the range.
 */
const isWholeTenant = (
  { base, cover, eventBefore, eventAfter }: ExportManifest,
  tenant: string,
  { count, hash, leavesBefore, leavesAfter }: TenantProof,
  leaves: Iterable<ShownLeaf>,
): boolean => {
  const start = tenantDigest({ tenant, count, hash });
  const isStart = count === 0 ? hash === NO_EVENTS.toString('base64url') : base?.checkpoint.tenants.includes(start);
  const isEnclosed = (eventBefore || leavesBefore.length === 0) && (eventAfter || leavesAfter.length === 0);
  let now = { tenant, count, hash };
  const add = (leaf: Buffer): void => {
    const next = nextTenantHash(Buffer.from(now.hash, 'base64url'), leaf);
    now = { tenant, count: now.count + 1, hash: next.toString('base64url') };
  };
  for (const leaf of leavesBefore) add(Buffer.from(leaf, 'base64url'));
  for (const { leaf } of leaves) add(leaf);
  for (const leaf of leavesAfter) add(Buffer.from(leaf, 'base64url'));
  return Boolean(isStart && isEnclosed) && cover.checkpoint.tenants.includes(tenantDigest(now));
};
