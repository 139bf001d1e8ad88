import { createCodec } from '../../libs/runtime/codec/codec.js';
import { createProjector } from '../../libs/runtime/projecting/projector.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import { canonicalJson } from '../../libs/eventsourcing/canonical-json.js';
import type { StoredDocument } from '../../libs/eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { RecordedEvent } from '../../libs/eventsourcing/message.js';
import type { Projection } from '../../libs/eventsourcing/projection.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { projections as allProjections } from '../../libs/projections/projections.js';
import type { Snapshot } from '../servers/snapshot.js';

const never = (): never => {
  throw new Error('reading the log needs no keys and makes no ids');
};

const codec = createCodec(DOMAIN_EVENTS, {
  keys: { serviceKey: never, personalKey: never, destroyPersonalKey: never },
  ids: { next: never, derived: never },
  clock: manualClock(),
});

/** Events as the domain knows them; what is personal in them stays sealed. */
export const decoded = (events: readonly StoredEvent[]): readonly RecordedEvent[] => events.map((event) => codec.decode(event));

/** "positions only grow"; that they do so by one is a promise of the embedded store alone. */
type Positions = 'without gaps' | 'growing';

/** What is wrong with the log itself: gaps in its positions or revisions, hashes that do not match. `[]` when it is sound. */
export const faultsIn = (events: readonly StoredEvent[], positions: Positions = 'without gaps'): readonly string[] => {
  const ends = new Map<string, { readonly revision: number; readonly hash: string }>();
  const faults: string[] = [];
  for (const [index, event] of events.entries()) {
    const end = ends.get(event.stream) ?? { revision: -1, hash: '' };
    const before = events[index - 1]?.position ?? 0;
    if (positions === 'growing' ? event.position <= before : event.position !== before + 1)
      faults.push(`position ${event.position} stands after ${before}`);
    if (event.revision !== end.revision + 1) faults.push(`${event.stream} goes from ${end.revision} to ${event.revision}`);
    try {
      ends.set(event.stream, { revision: event.revision, hash: codec.verify(event, end.hash) });
    } catch (fault) {
      faults.push(String(fault));
    }
  }
  return faults;
};

/** A read model: every document by its key, every cell that is not zero by its values. */
type ReadModel = { readonly documents: Readonly<Record<string, StoredDocument>>; readonly cells: Readonly<Record<string, number>> };

const readModel = (documents: readonly StoredDocument[], cells: readonly (readonly [string, number])[]): ReadModel => ({
  documents: Object.fromEntries(documents.map((document) => [document.key, document])),
  cells: Object.fromEntries(cells.filter(([, amount]) => amount !== 0)),
});

/** What a projection makes of a log from nothing. */
export const replayed = (projection: Projection, events: readonly StoredEvent[]): ReadModel => {
  const { writes, parked } = createProjector(projection).project(
    decoded(events),
    () => null,
    () => false,
  );
  if (parked.length > 0) throw new Error(`a replay cannot take ${JSON.stringify(parked)}`);
  return readModel(
    writes.flatMap((write) => (write.kind === 'put' ? [write.document] : [])),
    writes.flatMap((write) => (write.kind === 'increment' ? [[JSON.stringify(write.cell), write.by] as const] : [])),
  );
};

/** What stands in a projection's tables. */
export const stored = ({ collection }: Projection, snapshot: Snapshot): ReadModel =>
  readModel(
    snapshot.documents(collection),
    snapshot.cells(collection).map(({ values, amount }) => [JSON.stringify(values), amount] as const),
  );

/** More differences than these tell nothing new. */
const AS_MANY_AS_ARE_READ = 10;

/** Where tables and replay part: one line for each document and cell. `[]` when they are equal, document for document and cell for cell. */
export const differencesFromReplay = (snapshot: Snapshot, projections: readonly Projection[] = allProjections): readonly string[] =>
  projections
    .flatMap((projection) => {
      const is = stored(projection, snapshot);
      const should = replayed(projection, snapshot.events);
      return [
        ...differences(`${projection.name} document`, is.documents, should.documents),
        ...differences(`${projection.name} cell`, is.cells, should.cells),
      ];
    })
    .slice(0, AS_MANY_AS_ARE_READ);

const differences = (what: string, is: Readonly<Record<string, unknown>>, should: Readonly<Record<string, unknown>>): readonly string[] =>
  [...new Set([...Object.keys(is), ...Object.keys(should)])].flatMap((key) => {
    const [left, right] = [canonicalJson(is[key] ?? null), canonicalJson(should[key] ?? null)];
    return left === right ? [] : [`${what} ${key} is ${left} and should be ${right}`];
  });
