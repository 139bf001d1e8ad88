import { checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../../../libs/eventsourcing/event-codec.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { projections } from '../../../../libs/projections/projections.js';
import { clock } from '../clock.js';
import { showProgress } from '../../terminal/progress.js';

/** The log and read models to check. */
export type ServersToInspect = {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly documents: Pick<Documents, 'find'>;
  readonly codec: ReadCodec;
  /** The position of the last event in the log. */
  readonly head: number;
};

/** The number of documents in one comparison with the log. */
const PAGE = 1_000;

/**
 * Checks the whole log on the servers, and compares it with the read models. Returns one fault for each broken stream. Processes
 * may use the servers at the same time.
 */
export const inspectServers = async ({ store, documents, codec, head }: ServersToInspect): Promise<readonly HistoryFault[]> => {
  const faults = new Map<string, HistoryFault>();
  const last = new Map<string, number>();
  const readAll: EventStore['readAll'] = async (after, limit) => {
    const events = await store.readAll(after, limit);
    for (const { stream, revision } of events) last.set(stream, revision);
    return events;
  };
  // Shows progress only on a terminal. Elsewhere, progress would be lines with positions. Positions of EventStoreDB are byte
  // offsets, which tell an operator little.
  const progress = process.stderr.isTTY ? showProgress(clock, head, 'positions of the log checked') : null;
  await checkHistory({
    store: { readAll, readStream: (...args) => store.readStream(...args) },
    codec,
    upTo: head,
    positions: 'with gaps',
    onFault: (fault) => void faults.set(fault.stream, fault),
    onProgress: (position) => progress?.at(position),
  });
  progress?.done(head);
  for await (const fault of findMissingEvents({ store, documents }, last)) faults.set(fault.stream, fault);
  return [...faults.values()];
};

/**
 * Yields a fault for each stream whose revision in a read model is higher than in the log. `last` maps each stream that the
 * caller has read to its last revision in the log. For any other stream, this function reads the log.
 */
export async function* findMissingEvents(
  { store, documents }: Pick<ServersToInspect, 'store' | 'documents'>,
  last: ReadonlyMap<string, number> = new Map(),
): AsyncGenerator<HistoryFault> {
  for (const { category, collection } of projections) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await documents.find(collection, { where: {}, sort: [], limit: PAGE, offset });
      for (const { key, revision, fields } of page) {
        const stream = `${category}-${key}`;
        // A read model may show an event that was appended after the caller filled `last`. So the log is read again.
        if ((last.get(stream) ?? -1) >= revision || (await store.readStream(stream, revision, 1)).length > 0) continue;
        const recorded = last.get(stream) ?? (await store.readStream(stream)).at(-1)?.revision ?? -1;
        const reason = `event ${recorded + 1} of ${stream} is missing: a read model shows the stream up to revision ${revision}`;
        yield {
          stream,
          revision: recorded + 1,
          kind: 'altered',
          reason,
          tenant: typeof fields['tenant'] === 'string' ? fields['tenant'] : null,
        };
      }
      if (page.length < PAGE) break;
    }
  }
}
