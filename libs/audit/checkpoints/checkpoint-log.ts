import {
  CHECKPOINT_STREAM,
  type CheckpointEvent,
  type CheckpointState,
  type SignedCheckpoint,
} from '../../domain/checkpoints/checkpoint.events.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { EventStore, StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { isCheckpoint } from '../verify/genuine-checkpoints.js';
import { previousHashOf, type VerifiedLog } from '../../runtime/codec/verified-history.js';

/** The log, with the codec of its events. */
export type CheckpointedLog = {
  readonly store: Pick<EventStore, 'append' | 'readStream' | 'readAll'>;
  readonly codec: EventCodec;
};

/** The last checkpoint of a log, with its state. `hash` and `revision` are those of its event in the stream of checkpoints. */
export type LastCheckpoint = {
  readonly signed: SignedCheckpoint;
  readonly state: CheckpointState;
  readonly hash: string;
  readonly revision: number;
};

const PAGE = 1_000;

/** Returns the last checkpoint, or null if the log has none. Throws BrokenHistory if the event of that checkpoint was altered. */
export const readLastCheckpoint = async ({ store, codec }: CheckpointedLog): Promise<LastCheckpoint | null> => {
  const stored = await findLastEvent(store, CHECKPOINT_STREAM);
  if (!stored) return null;
  const hash = codec.verify(stored, await previousHashOf({ store, codec }, stored));
  return { ...partsOf(dataOf(codec, stored)), hash, revision: stored.revision };
};

/**
 * A checkpoint in the log, with the revision and the position of its event. `signed` and `state` are null if that event cannot
 * be read.
 */
export type LoggedCheckpoint = { readonly revision: number; readonly position: number } & ReadCheckpoint;

type ReadCheckpoint =
  { readonly signed: SignedCheckpoint; readonly state: CheckpointState } | { readonly signed: null; readonly state: null };

/** Yields all checkpoints of the log, oldest first. Verifies no signature. */
export async function* readCheckpoints({ store, codec }: VerifiedLog, pageSize = PAGE): AsyncGenerator<LoggedCheckpoint> {
  for (let from = 0; ; from += pageSize) {
    const page = await store.readStream(CHECKPOINT_STREAM, from, pageSize);
    for (const event of page) yield { revision: event.revision, position: event.position, ...tryToRead(codec, event) };
    if (page.length < pageSize) return;
  }
}

/** Returns the checkpoint with this number, or null if the log has none. Verifies no signature. */
export const readCheckpoint = async ({ store, codec }: VerifiedLog, index: number): Promise<LoggedCheckpoint | null> => {
  const [event] = await store.readStream(CHECKPOINT_STREAM, index, 1);
  return event ? { revision: event.revision, position: event.position, ...tryToRead(codec, event) } : null;
};

/** Returns the signed checkpoint in an event. Omits the state: only the service needs it, for the next checkpoint. */
export const checkpointIn = (codec: Pick<EventCodec, 'decode'>, event: StoredEvent): SignedCheckpoint =>
  partsOf(dataOf(codec, event)).signed;

const UNREADABLE = { signed: null, state: null } as const;

const tryToRead = (codec: Pick<EventCodec, 'decode'>, event: StoredEvent): ReadCheckpoint => {
  try {
    const read = partsOf(dataOf(codec, event));
    return isCheckpoint(read.signed) ? read : UNREADABLE;
  } catch (error) {
    if (error instanceof BrokenHistory) return UNREADABLE;
    throw error;
  }
};

const dataOf = (codec: Pick<EventCodec, 'decode'>, event: StoredEvent) => codec.decode(event).data as CheckpointEvent['data'];

const partsOf = ({ checkpoint, signature, state }: CheckpointEvent['data']) => ({ signed: { checkpoint, signature }, state });

/** Appends a checkpoint after `last`. Returns null if another process has appended a checkpoint after `last`. */
export const appendCheckpoint = async (
  { store, codec }: CheckpointedLog,
  last: LastCheckpoint | null,
  data: CheckpointEvent['data'],
  context: Parameters<EventCodec['encode']>[3],
): Promise<LastCheckpoint | null> => {
  const end = { revision: last?.revision ?? ('none' as const), hash: last?.hash ?? '' };
  const event = { type: 'CheckpointSigned', data } satisfies CheckpointEvent;
  const { encoded, end: added } = await codec.encode(CHECKPOINT_STREAM, end, [event], context);
  const result = await store.append(CHECKPOINT_STREAM, end.revision, encoded);
  return result.kind === 'appended' ? { ...partsOf(data), hash: added.hash, revision: result.revision } : null;
};

/**
 * Returns the last event of a stream, or null if the stream is empty. The port cannot read backwards, so the function searches
 * for the end. That takes about 30 reads for 50,000 events.
 */
export const findLastEvent = async (store: Pick<EventStore, 'readStream'>, stream: string): Promise<StoredEvent | null> => {
  const at = async (revision: number): Promise<StoredEvent | null> => (await store.readStream(stream, revision, 1))[0] ?? null;
  let last = await at(0);
  if (!last) return null;
  // The first loop doubles `missing` until no event has this revision. The second is a binary search for the last event.
  let missing = 1;
  for (let next = await at(missing); next; next = await at(missing)) {
    last = next;
    missing *= 2;
  }
  while (missing - last.revision > 1) {
    const middle = Math.floor((last.revision + missing) / 2);
    const found = await at(middle);
    if (found) last = found;
    else missing = middle;
  }
  return last;
};
