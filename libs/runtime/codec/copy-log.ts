import { StoreUnavailable, type AppendResult, type EventStore, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { reasonOf } from '../../eventsourcing/reason.js';

/** Number of events per read. */
const PAGE = 1_000;
/**
 * Maximum bytes of data and metadata per append. EventStoreDB accepts 1,048,576 bytes, but it also counts other parts of an
 * event, such as the name of its type.
 */
const MAX_BYTES = 500_000;

/** The destination has a different event at the revision of a copied event, so the destination is not a copy of this log. */
export class HistoryMismatch extends Error {
  override readonly name = 'HistoryMismatch';
}

/** The destination rejected an event. */
export class CopyFailed extends Error {
  override readonly name = 'CopyFailed';
}

/**
 * Copies a log to another store, event by event in log order, with the same ids and the same bytes, so that
 * the hashes stay valid. An interrupted copy can be repeated: an append of events that the destination already has at the same
 * revision succeeds and adds nothing.
 *
 * Rejects with HistoryMismatch if the destination has different events, with CopyFailed if the destination rejects an event,
 * and with StoreUnavailable if the destination is unavailable.
 */
export const copyLog = async (from: EventStore, to: EventStore, onProgress: (position: number) => void): Promise<void> => {
  for (let position = 0; ;) {
    const events = await from.readAll(position, PAGE);
    for (const run of runsOf(events)) {
      await appendRun(run, to);
      position = run.at(-1)?.position ?? position;
      onProgress(position);
    }
    if (events.length === 0) return;
  }
};

/** Groups consecutive events of one stream into runs. A run has at most MAX_BYTES, or only one event. */
const runsOf = (events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] => {
  const runs: StoredEvent[][] = [];
  let bytes = 0;
  for (const event of events) {
    const run = runs.at(-1);
    bytes += sizeOf(event);
    if (run?.[0]?.stream === event.stream && bytes <= MAX_BYTES) run.push(event);
    else {
      runs.push([event]);
      bytes = sizeOf(event);
    }
  }
  return runs;
};

const sizeOf = ({ data, metadata }: StoredEvent): number => Buffer.byteLength(data) + Buffer.byteLength(metadata);

const appendRun = async (run: readonly StoredEvent[], to: EventStore): Promise<void> => {
  const [first] = run;
  if (!first) return;
  const result = await tryAppend(first, run, to);
  if (result.kind === 'appended') return;
  if (run.length === 1)
    throw new HistoryMismatch(`the stream ${first.stream} has different events at the destination: copy into empty servers`);
  // If an interrupted copy has appended only some of the events, the append of the whole run conflicts. So each event is now
  // appended alone. This succeeds for an event that the destination already has, and for an event that it lacks.
  for (const event of run) await appendRun([event], to);
};

const tryAppend = async (first: StoredEvent, run: readonly StoredEvent[], to: EventStore): Promise<AppendResult> => {
  const { stream, revision } = first;
  try {
    const events = run.map(({ id, type, data, metadata }) => ({ id, type, data, metadata }));
    return await to.append(stream, revision === 0 ? 'none' : revision - 1, events);
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    throw new CopyFailed(`${stream}, revision ${revision}: ${reasonOf(error)}`, { cause: error });
  }
};
