import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetStoreHealth, type StoreHealth } from '../../../../libs/application/audit/store-health.query.js';
import { ListParked, type ParkedCause } from '../../../../libs/application/operations/parked.queries.js';
import type { ProcessState } from '../../../../libs/application/operations/processes.js';
import { ListProjections, type ProjectionStatus } from '../../../../libs/application/operations/projection.queries.js';
import { ListStuck, STUCK_AFTER, type StuckCount } from '../../../../libs/application/operations/stuck.queries.js';
import { CountByStatus, ListProcesses, type Counted } from '../../../../libs/application/operations/watching.queries.js';
import { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';
import { VERSION } from '../../installed.js';
import { paced } from './paced.js';

/** What is parked, without the items. */
type ParkedCounts = {
  readonly count: number;
  readonly isComplete: boolean;
  readonly causes: readonly Omit<ParkedCause, 'items'>[];
};

/** The state of the whole service. A part is null while it is unknown, for example because a server is away. */
export type ServiceState = {
  readonly at: string;
  readonly processes: readonly Omit<ProcessState, 'samples'>[];
  readonly orders: Readonly<Record<Counted['orders'], number>> | null;
  readonly payments: Readonly<Record<Counted['payments'], number>> | null;
  readonly deliveries: Readonly<Record<Counted['deliveries'], number>> | null;
  readonly stuck: readonly StuckCount[] | null;
  readonly parked: ParkedCounts | null;
  readonly projections: readonly ProjectionStatus[] | null;
  readonly health: ({ readonly version: string } & StoreHealth) | null;
};

/** Milliseconds that a stream waits for a part of the state. */
const PATIENCE = 2_000;
/** What is read from a few documents. */
const SMALL = { least: 4_000, share: 0.05, patience: PATIENCE };
/** What is counted. On one folder, a count keeps other requests waiting. */
const COUNTS = { least: 4_000, share: 0.01, patience: PATIENCE };
/** What is folded from many streams. */
const FOLDS = { least: 10_000, share: 0.05, patience: PATIENCE };

/** Reads the state of the service for all live streams of this process together, only while there are streams (contract 43.12). */
@Injectable()
export class LiveState implements BeforeApplicationShutdown {
  private readonly parts;
  private readonly stopping = new AbortController();

  constructor(
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(Clock) private readonly clock: Clock,
  ) {
    this.parts = {
      processes: paced(async () => queries.execute(new ListProcesses()), clock, SMALL),
      orders: paced(async () => queries.execute(new CountByStatus('orders')), clock, COUNTS),
      payments: paced(async () => queries.execute(new CountByStatus('payments')), clock, COUNTS),
      deliveries: paced(async () => queries.execute(new CountByStatus('deliveries')), clock, COUNTS),
      stuck: paced(async () => (await queries.execute(new ListStuck(STUCK_AFTER, 0))).kinds, clock, FOLDS),
      parked: paced(() => this.readParked(), clock, SMALL),
      projections: paced(async () => queries.execute(new ListProjections()), clock, { ...SMALL, least: 1_000 }),
      health: paced(async () => ({ version: VERSION, ...(await queries.execute(new GetStoreHealth())) }), clock, SMALL),
    };
  }

  /** Aborts when the process stops, so that streams end before the server waits for its connections. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  async processes(): Promise<readonly ProcessState[]> {
    return (await this.parts.processes()) ?? [];
  }

  /** Returns the health of the log, or null while it is unknown. */
  health(): Promise<ServiceState['health']> {
    return this.parts.health();
  }

  async read(): Promise<ServiceState> {
    const { processes: _, ...parts } = this.parts;
    const [processes, ...entries] = await Promise.all([
      this.processes(),
      ...Object.entries(parts).map(async ([name, part]) => [name, await part()] as const),
    ]);
    return {
      at: this.clock.now().toISOString(),
      processes: processes.map(({ samples: _samples, ...process }) => process),
      ...(Object.fromEntries(entries) as unknown as Omit<ServiceState, 'at' | 'processes'>),
    };
  }

  private async readParked(): Promise<ParkedCounts> {
    const { causes, ...counts } = await this.queries.execute(new ListParked({}, 0));
    return { ...counts, causes: causes.map(({ items: _, ...cause }) => cause) };
  }
}
