import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PET_STATUSES } from '../../domain/pets/pet.events.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { ORDERS, PETS } from '../aggregates.js';
import type { ResultOf } from '../request.js';

/** The order statuses that are counted. A cancelled order reserves nothing (contract 14.1). */
const COUNTED_ORDER_STATUSES = ['placed', 'approved', 'shipped', 'delivered'] as const;

/** The keys of the inventory. Every key is present, even if its value is zero (contract 14.1). */
const STATUSES = [...PET_STATUSES, ...COUNTED_ORDER_STATUSES];

/** The numbers of pets by pet status, and the ordered quantities by order status. Every status is present. */
export class GetInventory extends Query<Readonly<Record<string, number>>> {
  constructor(readonly tenant: string) {
    super();
  }
}

@QueryHandler(GetInventory)
export class GetInventoryHandler implements IQueryHandler<GetInventory> {
  constructor(private readonly documents: Documents) {}

  async execute({ tenant }: GetInventory): Promise<ResultOf<GetInventory>> {
    const [pets, orders] = await Promise.all([
      this.documents.sum(PETS.projection.collection, { tenant }, 'status'),
      this.documents.sum(ORDERS.projection.collection, { tenant }, 'status'),
    ]);
    const sums: Readonly<Record<string, number>> = { ...pets, ...orders };
    return Object.fromEntries(STATUSES.map((status) => [status, sums[status] ?? 0]));
  }
}

/** The query handlers of the inventory, for the module. */
export const INVENTORY_QUERY_HANDLERS = [GetInventoryHandler];
