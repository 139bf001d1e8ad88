import { isRejection, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { NUMBERS } from '../aggregates.js';

/** Numbers per reservation. A larger block leaves larger gaps at a restart, a smaller one costs more appends. */
const BLOCK = 100;
/** The maximum number of tenants whose blocks are in memory. A further block replaces the oldest one, which leaves a gap. */
const MAX_TENANTS = 10_000;

type Block = { next: number; last: number };
type Contended = Rejection<'contended' | 'precondition_failed'>;

/**
 * Gives numbers to new pets, orders and users: their ids in the classic variant (contract 39.3). A process reserves a block of
 * numbers in the log, and then takes the numbers from memory. So most numbers cost no request to the store.
 */
export class Numbers {
  private readonly blocks = new Map<string, Block>();
  private readonly reservations = new Map<string, Promise<Contended | null>>();

  constructor(private readonly aggregates: Aggregates) {}

  /** Returns a number that no other pet, order or user of the tenant has or gets. A number that is not used leaves a gap. */
  async next(tenant: string): Promise<number | Contended> {
    for (;;) {
      const block = this.blocks.get(tenant);
      if (block && block.next <= block.last) return block.next++;
      // Concurrent requests may use up the new block, so this tries again.
      const rejection = await this.reserve(tenant);
      if (rejection) return rejection;
    }
  }

  /** Returns whether the next number is in memory, so that no append is needed. */
  isReserved(tenant: string): boolean {
    const block = this.blocks.get(tenant);
    return block !== undefined && block.next <= block.last;
  }

  /** Reserves a block. Concurrent requests of a tenant wait for the same reservation. Returns null on success. */
  private reserve(tenant: string): Promise<Contended | null> {
    const running = this.reservations.get(tenant);
    if (running) return running;
    const reservation = this.append(tenant).finally(() => this.reservations.delete(tenant));
    this.reservations.set(tenant, reservation);
    return reservation;
  }

  /** Appends the reservation. The event's cause is the stream instead of a request, because many requests use one block. */
  private async append(tenant: string): Promise<Contended | null> {
    const cause = `${NUMBERS.category}-${tenant}`;
    const context = { tenant, actor: 'process:numbers', correlationId: cause, causationId: cause };
    const outcome = await this.aggregates.handle(NUMBERS, tenant, { type: 'ReserveNumbers', data: { count: BLOCK } }, context);
    if (isRejection(outcome)) return outcome;
    for (const { data } of outcome.events) this.keep(tenant, { next: data.first, last: data.last });
    return null;
  }

  private keep(tenant: string, block: Block): void {
    this.blocks.delete(tenant);
    const [oldest] = this.blocks.size < MAX_TENANTS ? [] : this.blocks.keys();
    if (oldest !== undefined) this.blocks.delete(oldest);
    this.blocks.set(tenant, block);
  }
}
