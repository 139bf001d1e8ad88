import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { Lease } from '../../eventsourcing/ports/leases.port.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { Message, RecordedEvent } from '../../eventsourcing/message.js';
import type { ProjectionTarget } from '../../eventsourcing/projecting.js';
import { projection, type ParkedStream } from '../../eventsourcing/projection.js';
import { decodeTestEvent, memoryDocuments, memoryFaults, trustingCodec, createTestLog } from '../following/following.fixtures.js';
import { LeasedTarget } from './leased-target.js';
import { ProjectionEngine } from './projection-engine.js';
import { createProjector } from './projector.js';
import { recordFaults } from './stream-faults.js';

type ThingEvent = Message<'Made', null> | Message<'Grown', null> | Message<'Gone', null> | Message<'Odd', null>;

/** A read model with the size of each thing. An event of type Odd can be applied only when `isFixed`. */
const thingsProjection = (isFixed: () => boolean) =>
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
        if (!isFixed()) throw new Error('odd');
        return thing;
      },
    },
  });

const LEASE: Lease = { name: 'projection:things_v1', owner: 'one', fence: 1 };

/** The state of a read model without events. */
export const NOTHING = { at: 0, 1: null, 2: null, 3: null, cells: {} };

/** A log and documents in memory for one test, and a projection of things. */
export class ProjectionWorld {
  readonly log = createTestLog();
  readonly faults = memoryFaults();
  readonly memory = memoryDocuments(() => this.isOwner);
  readonly things = thingsProjection(() => this.isFixed);
  readonly parked: ParkedStream[] = [];
  /** The calls to the database, in order. */
  readonly calls: string[] = [];
  isOwner = true;
  /** Whether events of type Odd can be applied. */
  isFixed = false;
  /** The events that the projection leaves out. */
  skipped: readonly { readonly stream: string; readonly revision: number }[] = [];
  /** The id of an event that cannot be decoded. */
  unreadable: string | null = null;

  constructor() {
    this.memory.hooks.before = async (what) => void this.calls.push(what);
  }

  /** Opens an engine of the projection. A test may open several. */
  async open(): Promise<ProjectionEngine> {
    return this.openOn(await this.target());
  }

  target(onParked = (stream: ParkedStream): void => void this.parked.push(stream)): Promise<LeasedTarget> {
    const { documents } = this.memory;
    const { collection } = this.things;
    return LeasedTarget.open({ documents, collection, lease: LEASE, onParked: (_, stream) => onParked(stream) });
  }

  /** Opens an engine that writes to a target. */
  openOn(target: ProjectionTarget): Promise<ProjectionEngine> {
    return ProjectionEngine.open({
      store: this.log.store,
      codec: recordFaults({ ...trustingCodec, decode: (event) => this.decode(event) } as EventCodec, this.faults),
      target,
      projectors: [createProjector(this.things)],
      faults: this.faults,
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

  /** Returns the position of the read model and its documents. */
  state() {
    const cells = Object.fromEntries([...this.memory.cells].filter(([, amount]) => amount !== 0));
    return { at: this.memory.checkpoints.get('things_v1') ?? 0, ...this.sizes(), cells };
  }

  private decode(event: StoredEvent): RecordedEvent {
    const { stream, revision } = event;
    if (event.id !== this.unreadable) {
      const decoded = decodeTestEvent(event);
      const isSkipped = this.skipped.some((one) => one.stream === stream && one.revision === revision);
      return isSkipped ? { ...decoded, meta: { ...decoded.meta, skippedBy: [this.things.name] } } : decoded;
    }
    throw new BrokenHistory({ stream, revision, kind: 'unreadable', reason: 'cannot be read', tenant: null });
  }
}
