import { checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import type { Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { ReadCodec } from '../../../../libs/eventsourcing/handle.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { projections } from '../../../../libs/projections/projections.js';
import { clock } from '../clock.js';
import { showProgress } from '../../terminal/progress.js';

export type ServersToInspect = {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>;
  readonly documents: Pick<Documents, 'find'>;
  readonly codec: ReadCodec;
  /** The position of the log's last event. */
  readonly head: number;
};

/** Documents compared with the log at a time. */
const PAGE = 1_000;

/** What is wrong with the history on the servers, while they are in use or not. */
export const inspectServers = async ({ store, documents, codec, head }: ServersToInspect): Promise<readonly HistoryFault[]> => {
  const faults = new Map<string, HistoryFault>();
  const last = new Map<string, number>();
  const readAll: EventStore['readAll'] = async (after, limit) => {
    const events = await store.readAll(after, limit);
    for (const { stream, revision } of events) last.set(stream, revision);
    return events;
  };
  // Positions are bytes there: a line for each tenth says nothing to a later reader.
  const progress = process.stderr.isTTY ? showProgress(clock, head, 'positions of the log checked') : null;
  await checkHistory({
    store: { readAll, readStream: (...asked) => store.readStream(...asked) },
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

/** Streams that read models show further than the log holds them. */
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
        // What came since the log was read is there when it is looked for.
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
