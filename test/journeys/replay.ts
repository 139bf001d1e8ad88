import { createCodec } from '../../libs/runtime/codec/codec.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import { canonicalJson } from '../../libs/eventsourcing/canonical-json.js';
import type { StoredDocument } from '../../libs/eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { RecordedEvent } from '../../libs/eventsourcing/message.js';
import { NONE_SKIPPED, type SkippedEvents } from '../../libs/eventsourcing/event-codec.js';
import { OPERATOR_STATE, skippedEventsOf, stateIn } from '../../libs/runtime/operating/operator-state.js';
import type { Projection } from '../../libs/eventsourcing/projection.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { projections as allProjections } from '../../libs/projections/projections.js';
import type { Snapshot } from '../servers/snapshot.js';

const rejectUse = (): never => {
  throw new Error('a read of the log uses no keys and no ids');
};

/** Creates a codec that only reads. It knows what operators have skipped. */
const readingCodec = (skipped: SkippedEvents) =>
  createCodec(DOMAIN_EVENTS, {
    keys: { serviceKey: rejectUse, personalKey: rejectUse, destroyPersonalKey: rejectUse },
    ids: { next: rejectUse, derived: rejectUse },
    clock: manualClock(),
    skipped,
  });

const codec = readingCodec(NONE_SKIPPED);

/** Decodes events. Personal data stays encrypted. */
export const decodeEvents = (events: readonly StoredEvent[], skipped = NONE_SKIPPED): readonly RecordedEvent[] => {
  const reading = readingCodec(skipped);
  return events.map((event) => reading.decode(event));
};

/** How positions must grow. Only the positions of the embedded store have no gaps (contract 23.2). */
type Positions = 'without gaps' | 'growing';

/** Returns a line for each gap in positions or revisions, and for each wrong hash. */
export const logViolations = (events: readonly StoredEvent[], positions: Positions = 'without gaps'): readonly string[] => {
  const ends = new Map<string, { readonly revision: number; readonly hash: string }>();
  const violations: string[] = [];
  for (const [index, event] of events.entries()) {
    const end = ends.get(event.stream) ?? { revision: -1, hash: '' };
    const before = events[index - 1]?.position ?? 0;
    if (positions === 'growing' ? event.position <= before : event.position !== before + 1)
      violations.push(`position ${event.position} follows ${before}`);
    if (event.revision !== end.revision + 1) violations.push(`${event.stream} jumps from ${end.revision} to ${event.revision}`);
    try {
      ends.set(event.stream, { revision: event.revision, hash: codec.verify(event, end.hash) });
    } catch (fault) {
      violations.push(String(fault));
    }
  }
  return violations;
};

/**
 * A read model: its documents by key, and its counters (cells). The key of a counter is the JSON of the field values that its
 * documents share. Counters with the value 0 are left out.
 */
type ReadModel = { readonly documents: Readonly<Record<string, StoredDocument>>; readonly cells: Readonly<Record<string, number>> };

const readModel = (documents: readonly StoredDocument[], cells: readonly (readonly [string, number])[]): ReadModel => ({
  documents: Object.fromEntries(documents.map((document) => [document.key, document])),
  cells: Object.fromEntries(cells.filter(([, amount]) => amount !== 0)),
});

/** Projects a whole log into an empty read model. */
export const replay = (projection: Projection, events: readonly StoredEvent[], skipped = NONE_SKIPPED): ReadModel => {
  const { writes, parked } = createProjector(projection).project(
    decodeEvents(events, skipped),
    () => null,
    () => false,
  );
  if (parked.length > 0) throw new Error(`the replay parked ${JSON.stringify(parked)}`);
  return readModel(
    writes.flatMap((write) => (write.kind === 'put' ? [write.document] : [])),
    writes.flatMap((write) => (write.kind === 'increment' ? [[JSON.stringify(write.cell), write.by] as const] : [])),
  );
};

/** Returns the stored read model of a projection. */
export const readTables = ({ collection }: Projection, snapshot: Snapshot): ReadModel =>
  readModel(
    snapshot.documents(collection),
    snapshot.cells(collection).map(({ values, amount }) => [JSON.stringify(values), amount] as const),
  );

/** The maximum number of reported differences. */
const MAX_DIFFERENCES = 10;

/**
 * Compares the stored read models with a replay. Returns one line for each document and counter that differs.
 */
export const differencesFromReplay = (snapshot: Snapshot, projections: readonly Projection[] = allProjections): readonly string[] =>
  projections
    .flatMap((projection) => {
      const actual = readTables(projection, snapshot);
      const expected = replay(projection, snapshot.events, skippedIn(snapshot));
      return [
        ...differences(`${projection.name} document`, actual.documents, expected.documents),
        ...differences(`${projection.name} cell`, actual.cells, expected.cells),
      ];
    })
    .slice(0, MAX_DIFFERENCES);

/** Returns what operators have skipped. */
const skippedIn = (snapshot: Snapshot): SkippedEvents => {
  const [state] = snapshot.documents(OPERATOR_STATE);
  return skippedEventsOf(stateIn(state?.json));
};

type ByKey = Readonly<Record<string, unknown>>;

const differences = (what: string, actual: ByKey, expected: ByKey): readonly string[] =>
  [...new Set([...Object.keys(actual), ...Object.keys(expected)])].flatMap((key) => {
    const [left, right] = [canonicalJson(actual[key] ?? null), canonicalJson(expected[key] ?? null)];
    return left === right ? [] : [`${what} ${key} is ${left} and should be ${right}`];
  });
