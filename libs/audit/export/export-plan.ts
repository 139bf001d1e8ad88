import { CHECKPOINT_STREAM, type Checkpoint } from '../../domain/checkpoints/checkpoint.events.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { yieldToEventLoop } from '../../eventsourcing/scheduling/yield-to-event-loop.js';
import type { VerifiedLog } from '../../runtime/codec/verified-history.js';
import { findLastEvent, readCheckpoint } from '../checkpoints/checkpoint-log.js';
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
const VERIFY = 'run "petstore audit verify"';

/**
 * The types of the events that are added to the log whenever somebody requests a new checkpoint. If only such events are new, an
 * export needs no new checkpoint.
 */
const OF_CHECKPOINTS: ReadonlySet<string> = new Set(['CheckpointSigned', 'SecurityEventRecorded']);

/**
 * Returns the scope and the checkpoints `base` and `cover` of ExportManifest. An export reads the events that `cover` covers, but
 * `base` does not. Returns null if the log has no `cover` yet. An interrupted export passes its earlier `cover` as `pinned`, and
 * gets the same `cover` again. Throws ExportFailed if one of the two is not genuine, and NothingToExport if the scope has no events.
 */
export const planExport = async (
  log: ExportedLog,
  scope: ExportScope,
  pinned?: { readonly checkpoint: Pick<Checkpoint, 'index'> },
): Promise<ExportPlan | null> => {
  const { from, to } = scope;
  const count = await countCheckpoints(log);
  const index = to === null ? (pinned?.checkpoint.index ?? count - 1) : await countBefore(log, to, count);
  if (index < 0 || index >= count) return null;
  const cover = await readGenuine(log, index);
  const before = from === null ? 0 : await countBefore(log, from, index + 1);
  const base = before === 0 ? null : await readGenuine(log, before - 1);
  await requireEvents(log, scope, cover);
  return { scope, base, cover: cover.signed };
};

const countCheckpoints = async ({ store }: ExportedLog): Promise<number> =>
  ((await findLastEvent(store, CHECKPOINT_STREAM))?.revision ?? -1) + 1;

/**
 * Returns how many of the first `count` checkpoints are earlier than a time. A binary search, because a log may have many, and no
 * checkpoint is earlier than the one before it.
 */
const countBefore = async (log: ExportedLog, time: string, count: number): Promise<number> => {
  let [least, most] = [0, count];
  while (least < most) {
    const middle = Math.floor((least + most) / 2);
    if ((await read(log, middle)).signed.checkpoint.time < time) least = middle + 1;
    else most = middle;
  }
  return least;
};

const read = async (log: ExportedLog, index: number): Promise<CheckpointBefore> => {
  const found = await readCheckpoint(log, index);
  if (!found?.signed) throw new ExportFailed(`checkpoint ${index}: it ${found ? 'cannot be read' : 'is missing'}: ${VERIFY}`);
  return found;
};

const readGenuine = async (log: ExportedLog, index: number): Promise<CheckpointBefore> => {
  const found = await read(log, index);
  const { checkpoint } = found.signed;
  const reason = forgeryOf(log.ownKeys, found.signed) ?? (checkpoint.index === index ? null : `it has the index ${checkpoint.index}`);
  if (reason !== null) throw new ExportFailed(`checkpoint ${index}: ${reason}: ${VERIFY}`);
  return found;
};

const requireEvents = async (log: ExportedLog, { tenant, stream }: ExportScope, { signed, state }: CheckpointBefore): Promise<void> => {
  if (tenant !== null && !state.tenants.some((one) => one.tenant === tenant))
    throw new NothingToExport(`tenant ${tenant} has no events up to checkpoint ${signed.checkpoint.index}`);
  if (stream !== null && (await log.store.readStream(stream, 0, 1)).length === 0)
    throw new NothingToExport(`the log has no stream ${stream}`);
};

/** Returns whether events follow the last checkpoint. Ignores events of the types OF_CHECKPOINTS. */
export const hasUnsignedEvents = async (log: ExportedLog): Promise<boolean> => {
  const count = await countCheckpoints(log);
  let position = await positionOf(log, count === 0 ? null : await read(log, count - 1));
  for (;;) {
    const events = await log.store.readAll(position, PAGE);
    if (events.some(({ type }) => !OF_CHECKPOINTS.has(type))) return true;
    if (events.length < PAGE) return false;
    position = events.at(-1)?.position ?? position;
    await yieldToEventLoop();
  }
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
    if (events.length === 0) throw new ExportFailed(`the log has fewer events than its checkpoints cover: ${VERIFY}`);
    left -= events.length;
    position = events.at(-1)?.position ?? position;
    await yieldToEventLoop();
  }
  return position;
};
