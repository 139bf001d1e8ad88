import { CHECKPOINT_STREAM, type CheckpointEvent, type SignedCheckpoint } from '../../domain/checkpoints/checkpoint.events.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';
import { readCheckpoints } from '../checkpoints/checkpoint-log.js';
import type { PublicKeys } from '../proof/signatures.js';
import { forgeryOf } from '../verify/genuine-checkpoints.js';
import { ExportFailed, type ExportPlan } from './export-builder.js';
import type { CheckpointBefore } from './export-proof.js';
import type { ExportScope } from './manifest.js';

/** The log that is exported. */
export type ExportedLog = {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly codec: VerifiedLog['codec'];
  /** The public keys of the service, which verify the checkpoints of the log. */
  readonly ownKeys: PublicKeys;
};

/** The tenant or the stream of an export has no events. The message names it. */
export class NothingToExport extends Error {
  override readonly name = 'NothingToExport';
}

const PAGE = 1_000;

/**
 * The types of the events that are added to the log whenever somebody requests a new checkpoint. If only such events are new, an
 * export needs no new checkpoint.
 */
const OF_CHECKPOINTS: ReadonlySet<string> = new Set(['CheckpointSigned', 'SecurityEventRecorded']);

type Found = { readonly revision: number; readonly signed: SignedCheckpoint };

/**
 * Returns the scope and the checkpoints `base` and `cover` of ExportManifest. An export reads the events that `cover` covers, but
 * `base` does not. Returns null if the log has no `cover` yet. An interrupted export passes its earlier `cover` as `pinned`, and
 * gets the same `cover` again. Throws ExportFailed if a checkpoint is not genuine, and NothingToExport if the scope has no events.
 */
export const planExport = async (log: ExportedLog, scope: ExportScope, pinned?: SignedCheckpoint): Promise<ExportPlan | null> => {
  const { from, to } = scope;
  let base: Found | null = null;
  let cover: Found | null = null;
  for await (const { revision, signed } of readCheckpoints(log)) {
    const reason = signed ? forgeryOf(log.ownKeys, signed) : 'it cannot be read';
    if (!signed || reason !== null) throw new ExportFailed(`checkpoint ${revision}: ${reason}: run "petstore audit verify"`);
    const { time, index } = signed.checkpoint;
    if (from !== null && time < from) base = { revision, signed };
    cover = { revision, signed };
    if (pinned ? index === pinned.checkpoint.index : to !== null && time >= to) break;
  }
  if (!cover || (to !== null && cover.signed.checkpoint.time < to)) return null;
  await requireEvents(log, scope, cover);
  return { scope, base: base && { signed: base.signed, state: await readState(log, base.revision) }, cover: cover.signed };
};

const requireEvents = async (log: ExportedLog, { tenant, stream }: ExportScope, { revision }: Found): Promise<void> => {
  if (tenant !== null && !(await readState(log, revision)).tenants.some((one) => one.tenant === tenant))
    throw new NothingToExport(`tenant ${tenant} has no events up to checkpoint ${revision}`);
  if (stream !== null && (await log.store.readStream(stream, 0, 1)).length === 0)
    throw new NothingToExport(`the log has no stream ${stream}`);
};

/** Returns whether events follow the last checkpoint. Ignores events of the types OF_CHECKPOINTS. */
export const hasUnsignedEvents = async (log: ExportedLog): Promise<boolean> => {
  let last: Found | null = null;
  for await (const { revision, signed } of readCheckpoints(log)) if (signed) last = { revision, signed };
  let position = await positionOf(log, last && { signed: last.signed, state: await readState(log, last.revision) });
  for (;;) {
    const events = await log.store.readAll(position, PAGE);
    if (events.some(({ type }) => !OF_CHECKPOINTS.has(type))) return true;
    if (events.length < PAGE) return false;
    position = events.at(-1)?.position ?? position;
  }
};

const readState = async ({ store, codec }: ExportedLog, revision: number): Promise<CheckpointBefore['state']> => {
  const [event] = await store.readStream(CHECKPOINT_STREAM, revision, 1);
  if (!event) throw new ExportFailed(`checkpoint ${revision} is missing`);
  return (codec.decode(event).data as CheckpointEvent['data']).state;
};

/**
 * Returns the position of the last event that `base` covers, or 0 without `base`. In a copy of the log, that event
 * may have another position than in `base`. There, the function finds the position by counting the covered events.
 */
export const positionOf = async ({ store }: Pick<ExportedLog, 'store'>, base: CheckpointBefore | null): Promise<number> => {
  if (!base) return 0;
  const { last } = base.state;
  const [found] = await store.readAll(last.position - 1, 1);
  if (found?.id === last.id) return last.position;
  let position = 0;
  for (let left = base.signed.checkpoint.size; left > 0;) {
    const events = await store.readAll(position, Math.min(PAGE, left));
    if (events.length === 0) throw new ExportFailed('the log has fewer events than its checkpoints cover: run "petstore audit verify"');
    left -= events.length;
    position = events.at(-1)?.position ?? position;
  }
  return position;
};
