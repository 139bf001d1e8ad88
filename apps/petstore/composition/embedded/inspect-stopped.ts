import { openLogFile } from '../../../../libs/adapters/sqlite/index.js';
import { DOMAIN_EVENTS } from '../../../../libs/domain/events.js';
import { ListParkedHandler, ListParked, type ParkedList } from '../../../../libs/application/operations/parked.queries.js';
import { ListStuck, ListStuckHandler, STUCK_AFTER, type StuckList } from '../../../../libs/application/operations/stuck.queries.js';
import { Aggregates } from '../../../../libs/eventsourcing/aggregates.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';
import { checkpointOf, type Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';
import type { EventStore } from '../../../../libs/eventsourcing/ports/event-store.port.js';
import type { WorkQueue } from '../../../../libs/eventsourcing/ports/work-queue.port.js';
import { projections } from '../../../../libs/projections/projections.js';
import { createCodec } from '../../../../libs/runtime/codec/codec.js';
import { OperatorDecisions, type Pause } from '../../../../libs/runtime/operating/operator-state.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { holdsOf } from '../store.module.js';

/** What the folder of a stopped store shows of its work. */
export type StoppedWork = {
  /** The paused read models by the names of their projections. */
  readonly paused: Readonly<Record<string, Pause>>;
  readonly parked: ParkedList;
  /** What was stuck when the last event was recorded: since then the store was stopped, or idle. */
  readonly stuck: StuckList;
};

/** Replaces what reading never uses. */
const never = (): never => {
  throw new Error('a stopped store is only read');
};

const NEVER_KEYS = { serviceKey: never, personalKey: never, destroyPersonalKey: never };
const NEVER_WRITTEN = { prepare: never, page: never, texts: never, count: never, sum: never, apply: never, use: never, clear: never };
const NEVER_WORKED = { enqueue: never, claim: never, extend: never, complete: never, retryAfter: never, shortenWaits: never };

/** Reads what waits in the folder of a stopped store, without writing. The last event and the faults are those of a check of its log. */
export const inspectStoppedWork = async (
  settings: Settings,
  { lastEventAt, faults }: { readonly lastEventAt: Date | null; readonly faults: readonly HistoryFault[] },
): Promise<StoppedWork> => {
  const log = openLogFile(settings.dataDir);
  try {
    const store: EventStore = { ...log.store, append: never, subscribe: never };
    const documents: Documents = { ...log.documents, ...NEVER_WRITTEN };
    const work: WorkQueue = { waiting: log.waiting, ...NEVER_WORKED };
    const decisions = new OperatorDecisions(documents);
    await decisions.refresh();
    const clock = { now: () => lastEventAt ?? new Date(0), elapsed: never, after: never };
    const codec = createCodec(DOMAIN_EVENTS, { keys: NEVER_KEYS, ids: { next: never, derived: never }, clock, skipped: decisions });
    const lookup = { of: (stream: string) => faults.find((fault) => fault.stream === stream), all: () => faults, record: never };
    const states = async () => {
      const positions = await Promise.all(projections.map(({ collection }) => documents.checkpoint(checkpointOf(collection))));
      return projections.map(({ name, version }, nth) => ({
        ...UNKNOWN,
        name,
        version,
        position: positions[nth] ?? 0,
        behind: log.head - (positions[nth] ?? 0),
      }));
    };
    const ports = [
      new Aggregates(store, codec),
      store,
      codec,
      documents,
      log.parked,
      lookup,
      { states, head: async () => log.head },
      work,
      decisions,
      clock,
      holdsOf(settings),
    ] as const;
    return {
      paused: decisions.current().paused ?? {},
      parked: await new ListParkedHandler(log.parked, documents, lookup, store).execute(new ListParked({}, 1)),
      stuck: await new ListStuckHandler(...ports).execute(new ListStuck(STUCK_AFTER, 1_000)),
    };
  } finally {
    log.close();
  }
};

/** The parts of a read model's state that only a running process knows. */
const UNKNOWN = { behindSeconds: null, isInService: true, owner: null, eventsPerSecond: null, lastError: null, secondsLeft: null };
