import type { Checkpoint, CheckpointState } from '../../domain/checkpoints/checkpoint.events.js';
import type { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { LogDigest, proofMembers } from '../proof/log-digest.js';
import { doesMatch } from './checkpoint-comparison.js';

/** A genuine checkpoint in the log, the position of its event, and its state, which no signature covers. */
export type GenuineCheckpoint = { readonly checkpoint: Checkpoint; readonly position: number; readonly state: CheckpointState };

/** Where an audit begins. */
export type StartingPoint = {
  /** The digest of the events before this point. */
  readonly digest: LogDigest;
  /** The position of the last event before this point, or 0. */
  readonly position: number;
  /** The time of the last event before this point. Null before the first checkpoint, where the order of times is not checked. */
  readonly time: string | null;
};

/** The parts of an audit that determine where it begins. */
type AuditedPart = {
  readonly store: Pick<EventStore, 'readAll'>;
  readonly positions: 'without gaps' | 'with gaps';
  readonly from?: number;
};

/** Returns the start of the log. */
const firstEvent = (): StartingPoint => ({ digest: LogDigest.empty(), position: 0, time: null });

/**
 * Returns the point after the last usable checkpoint that covers at most `from` events. A checkpoint is usable if its
 * state matches its signed root and its signed digests of tenants. The log must also have the last covered event at the position
 * that the state names: a copy of the log has other positions. Without a usable checkpoint, returns the start of the log.
 */
export const startAfter = async (
  { store, positions, from = 0 }: AuditedPart,
  checkpoints: readonly GenuineCheckpoint[],
): Promise<StartingPoint> => {
  for (const { checkpoint, position, state } of checkpoints.toReversed()) {
    if (checkpoint.size > from) continue;
    const digest = resume(checkpoint, state);
    const { last } = state;
    // No signature covers the state. A forged position could make the audit skip events after the checkpoint.
    const isPlausible = last.position < position && (positions === 'with gaps' || last.position === checkpoint.size);
    if (!digest || !isPlausible) continue;
    const [event] = await store.readAll(last.position - 1, 1);
    if (event?.id === last.id) return { digest, position: last.position, time: checkpoint.index === 0 ? null : proofMembers(event).time };
  }
  return firstEvent();
};

const resume = (checkpoint: Checkpoint, state: CheckpointState): LogDigest | null => {
  try {
    const digest = LogDigest.resume(checkpoint.size, state);
    return doesMatch(checkpoint, digest) ? digest : null;
  } catch {
    return null;
  }
};
