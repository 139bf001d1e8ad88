import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { Lease } from '../../eventsourcing/ports/leases.port.js';
import type { EventCodec } from '../../eventsourcing/handle.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { Message, RecordedEvent } from '../../eventsourcing/message.js';
import { projection, type ParkedStream } from '../../eventsourcing/projection.js';
import { decodeWritten, memoryDocuments, memoryFaults, unaltered, writtenLog } from '../following/following.fixtures.js';
import { Projecting } from './projection-worker.js';
import { createProjector } from './projector.js';
import { notingFaults } from './stream-faults.js';

type ThingEvent = Message<'Made', null> | Message<'Grown', null> | Message<'Gone', null> | Message<'Odd', null>;

/** A read model of things, which grow. An event of type Odd can be taken only when `isMended`. */
const thingsProjection = (isMended: () => boolean) =>
  projection<ThingEvent, { size: number }, { size: number }>({
    name: 'things',
    version: 1,
    category: 'thing',
    fields: { size: 'integer' },
    indexes: [],
    cells: ['size'],
    amount: () => 1,
    on: {
      Made: () => ({ body: { size: 1 }, fields: { size: 1 } }),
      Grown: (thing) => thing && { body: { size: thing.body.size + 1 }, fields: { size: thing.body.size + 1 } },
      Gone: () => null,
      Odd: (thing) => {
        if (!isMended()) throw new Error('odd');
        return thing;
      },
    },
  });

const LEASE: Lease = { name: 'projection:things_v1', holder: 'one', fence: 1 };

/** What no projection has taken anything of. */
export const NOTHING = { at: 0, 1: null, 2: null, 3: null, cells: {} };

/** A log and documents in memory for one test, and a projection of things that works on them. */
export class ProjectingWorld {
  readonly log = writtenLog();
  readonly faults = memoryFaults();
  readonly memory = memoryDocuments(() => this.isOurs);
  readonly things = thingsProjection(() => this.mended);
  readonly parked: ParkedStream[] = [];
  /** What was asked of the database, in order. */
  readonly asked: string[] = [];
  isOurs = true;
  /** Whether what cannot be taken can be taken by now. */
  mended = false;
  /** The id of an event that cannot be read. */
  unreadable: string | null = null;

  constructor() {
    this.memory.hooks.before = async (what) => void this.asked.push(what);
  }

  /** Begins a projection, of which there may be several. */
  begin(): Promise<Projecting> {
    return Projecting.begin({
      store: this.log.store,
      documents: this.memory.documents,
      codec: notingFaults({ ...unaltered, decode: (event) => this.decode(event) } as EventCodec, this.faults),
      faults: this.faults,
      projector: createProjector(this.things),
      lease: LEASE,
      onParked: (_, stream) => void this.parked.push(stream),
    });
  }

  /** Appends events, and returns them. */
  given(...names: readonly string[]): readonly StoredEvent[] {
    const from = this.log.events.length;
    this.log.add(...names);
    return this.log.events.slice(from);
  }

  sizes() {
    return Object.fromEntries(['1', '2', '3'].map((key) => [key, this.memory.jsonOf(this.things.collection, key) ?? null]));
  }

  /** How far the read model is, and what it shows. */
  state() {
    const cells = Object.fromEntries([...this.memory.cells].filter(([, amount]) => amount !== 0));
    return { at: this.memory.checkpoints.get('things_v1') ?? 0, ...this.sizes(), cells };
  }

  private decode(event: StoredEvent): RecordedEvent {
    const { stream, revision } = event;
    if (event.id !== this.unreadable) return decodeWritten(event);
    throw new BrokenHistory({ stream, revision, kind: 'unreadable', reason: 'cannot be read', tenant: null });
  }
}
