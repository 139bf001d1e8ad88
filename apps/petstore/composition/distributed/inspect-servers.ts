import { checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../../../libs/eventsourcing/handle.js';
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

/** Returns the faults of the history on the servers. Processes may use the servers meanwhile. */
export const inspectServers = async ({ store, documents, codec, head }: ServersToInspect): Promise<readonly HistoryFault[]> => {
  const faults = new Map<string, HistoryFault>();
  const last = new Map<string, number>();
  const readAll: EventStore['readAll'] = async (after, limit) => {
    const events = await store.readAll(after, limit);
    for (const { stream, revision } of events) last.set(stream, revision);
    return events;
  };
  // Positions of EventStoreDB are byte offsets. Progress in bytes is only useful on a terminal, where it moves.
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

/** Yields the streams with a higher revision in a read model than in the log. */
async function* findMissingEvents(
  { store, documents }: Pick<ServersToInspect, 'store' | 'documents'>,
  last: ReadonlyMap<string, number>,
): AsyncGenerator<HistoryFault> {
  for (const { category, collection } of projections) {
    for (let offset = 0; ; offset += PAGE) {
      const shown = await documents.find(collection, { where: {}, sort: [], limit: PAGE, offset });
      for (const { key, revision, fields } of shown) {
        const stream = `${category}-${key}`;
        const recorded = last.get(stream) ?? -1;
        // The event may have been appended after the log was read.
        if (recorded >= revision || (await store.readStream(stream, revision, 1)).length > 0) continue;
        const reason = `event ${recorded + 1} of ${stream} is missing: a read model shows the stream up to revision ${revision}`;
        yield {
          stream,
          revision: recorded + 1,
          kind: 'altered',
          reason,
          tenant: typeof fields['tenant'] === 'string' ? fields['tenant'] : null,
        };
      }
      if (shown.length < PAGE) break;
    }
  }
}
