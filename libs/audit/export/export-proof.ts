import type { CheckpointState, SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import { nextTenantHash, NO_EVENTS, tenantDigest } from '../proof/log-digest.js';
import { bytesOf, textOf } from '../proof/primitives.js';
import type { TenantProof, TreeProof } from './manifest.js';
import { SparseTree, type SubtreeState } from './sparse-tree.js';

/** The checkpoint after which an export begins to read, with its state. */
export type CheckpointBefore = { readonly signed: SignedCheckpoint; readonly state: CheckpointState };

/** The leaf of an event, and whether the export shows the event. */
export type ProvenEvent = { readonly leaf: Uint8Array; readonly tenant: string; readonly isShown: boolean };

/** Collects the proof of an export, event by event. */
export type ExportProof = {
  add(event: ProvenEvent): void;
  /** Returns the unfinished proof as JSON, from which an interrupted export continues. */
  state(): unknown;
  /** Returns the finished proof, or null if the added events are not those that the checkpoint covers. */
  finish(cover: SignedCheckpoint): TreeProof | TenantProof | null;
};

/** Begins the proof of an export of the whole log or of one stream. With `state`, continues it. */
export const treeProof = (base: CheckpointBefore | null, state?: unknown): ExportProof => {
  const tree = state
    ? SparseTree.resume(state as readonly SubtreeState[])
    : SparseTree.ofHashes(base?.signed.checkpoint.size ?? 0, base?.state.subtrees ?? []);
  return {
    add: ({ leaf, isShown }) => tree.add(leaf, isShown),
    state: () => tree.state(),
    finish({ checkpoint }) {
      const { root, nodes } = tree.finish();
      return root === checkpoint.root ? { nodes } : null;
    },
  };
};

/** The tenant's number of events and running hash: `start` has the values at `base`, `now` those after the last added event. */
type TenantState = { readonly start: Counted; readonly now: Counted; readonly leavesBefore: string[]; readonly leavesAfter: string[] };
type Counted = { readonly count: number; readonly hash: string };

/** Begins the proof of an export of one tenant. With `given`, continues it. */
export const tenantProof = (tenant: string, base: CheckpointBefore | null, statement?: unknown): ExportProof => {
  const { start, now, leavesBefore, leavesAfter } = (statement as TenantState | undefined) ?? begin(tenant, base);
  let { count } = now;
  let running = bytesOf(now.hash);
  // `leavesBefore` has a leaf for each event before the first shown event. If more events were counted, one was already shown.
  let hasShown = count > start.count + leavesBefore.length;
  const current = (): Counted => ({ count, hash: textOf(running) });
  return {
    add(event) {
      if (event.tenant !== tenant) return;
      count++;
      running = nextTenantHash(running, event.leaf);
      hasShown ||= event.isShown;
      if (!event.isShown) (hasShown ? leavesAfter : leavesBefore).push(textOf(event.leaf));
    },
    state: (): TenantState => ({ start, now: current(), leavesBefore, leavesAfter }),
    finish({ checkpoint }) {
      const isCovered = checkpoint.tenants.includes(tenantDigest({ tenant, ...current() }));
      return isCovered ? { ...start, leavesBefore, leavesAfter } : null;
    },
  };
};

const begin = (tenant: string, base: CheckpointBefore | null): TenantState => {
  const { count, hash } = base?.state.tenants.find((one) => one.tenant === tenant) ?? { count: 0, hash: textOf(NO_EVENTS) };
  return { start: { count, hash }, now: { count, hash }, leavesBefore: [], leavesAfter: [] };
};
