import type { Message } from '../../eventsourcing/message.js';
import { projection, type ParkedStream } from '../../eventsourcing/projection.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import {
  NO_DECISIONS,
  memoryLeases,
  memoryDocuments,
  memoryFaults,
  advanceUntil,
  testCodec,
  createTestLog,
} from '../following/following.fixtures.js';
import { startProjections, type ProjectionRole, type ProjectionRoleDependencies } from './projection-role.js';
import { createProjector } from './projector.js';

/** A read model that counts events of type Made. An event of type Odd can be applied only when `isFixed`. */
const counting = (category: string, isFixed: () => boolean) =>
  projection<Message<'Made', null> | Message<'Odd', null>, { made: number }, Record<string, never>>({
    name: `${category}s`,
    version: 1,
    category,
    fields: {},
    indexes: [],
    cells: [],
    amount: () => 1,
    on: {
      Made: (document) => ({ body: { made: (document?.body.made ?? 0) + 1 }, fields: {} }),
      Odd: (document) => {
        if (!isFixed()) throw new Error('odd');
        return document;
      },
    },
  });

/** The name of the lease on the read model of things. */
export const THINGS = 'projection:things_v1';

/** A log, leases and documents in memory for one test, and roles that fill two read models there. */
export class ProjectionRoleWorld {
  readonly clock = manualClock();
  readonly log = createTestLog();
  readonly leasing = memoryLeases(this.clock);
  readonly memory = memoryDocuments(this.leasing.isCurrent);
  readonly things = counting('thing', () => this.isFixed);
  readonly others = counting('other', () => this.isFixed);
  readonly caughtUp: string[] = [];
  readonly parked: ParkedStream[] = [];
  readonly errors: unknown[] = [];
  /** Whether events of type Odd can be applied. */
  isFixed = false;
  private readonly roles: ProjectionRole[] = [];

  start(owner = 'one', dependencies: Partial<ProjectionRoleDependencies> = {}): ProjectionRole {
    const role = startProjections({
      store: this.log.store,
      documents: this.memory.documents,
      codec: testCodec,
      faults: memoryFaults(),
      projectors: [createProjector(this.things), createProjector(this.others)],
      decisions: NO_DECISIONS,
      fills: { follow: async () => undefined, progress: async () => null },
      leases: this.leasing.leases,
      owner,
      head: this.log.head,
      onCaughtUp: async ({ name }) => void this.caughtUp.push(name),
      onParked: (_, stream) => void this.parked.push(stream),
      onError: (error) => void this.errors.push(error),
      clock: this.clock,
      interval: 0,
      ...dependencies,
    });
    this.roles.push(role);
    return role;
  }

  /** Stops every role. */
  async stop(): Promise<void> {
    this.memory.hooks.before = () => Promise.resolve();
    await Promise.all(this.roles.map((role) => role.stop()));
  }

  until(what: string, condition: () => boolean): Promise<void> {
    return advanceUntil(this.clock, what, condition);
  }

  /** Returns the stored position of a read model. */
  at(name: 'things' | 'others'): number {
    return this.memory.checkpoints.get(`${name}_v1`) ?? 0;
  }

  /** Resolves once both read models are at a position. */
  bothAt(position: number): Promise<void> {
    return this.until(`both at ${position}`, () => this.at('things') === position && this.at('others') === position);
  }

  /** Returns the document of a thing. */
  made(key: string): string | undefined {
    return this.memory.jsonOf(this.things.collection, key);
  }
}
