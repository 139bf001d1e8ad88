import { Query } from '@nestjs/cqrs';

/** Pet counts by pet status and order quantities by order status, every status present. */
export class GetInventory extends Query<Readonly<Record<string, number>>> {
  constructor(readonly tenant: string) {
    super();
  }
}
