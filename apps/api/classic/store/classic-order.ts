import { dayOf } from '../../../../libs/eventsourcing/day.js';
import type { NewOrderInput } from '../../../../libs/application/orders/order.commands.js';
import type { View } from '../../../../libs/application/request.js';
import type { OrderStatus } from '../../../../libs/domain/orders/order.events.js';
import type { ClassicOrder, ClassicOrderStatus, NewClassicOrder } from './order.dto.js';

/** The classic status for each order status. Null if the classic variant does not show such an order (contract 39.6). */
const STATUSES: Readonly<Record<OrderStatus, ClassicOrderStatus | null>> = {
  placed: 'placed',
  approved: 'approved',
  shipped: 'approved',
  delivered: 'delivered',
  cancelled: null,
};

type StoredOrder = { readonly quantity: number; readonly shipDate?: string; readonly status: OrderStatus; readonly complete: boolean };

/** Returns an order in the classic shape, or null if the order is cancelled. `pet` is null if the pet was deleted. */
export const classicOrder = ({ json, fields }: View, pet: Pick<View, 'fields'> | null): ClassicOrder | null => {
  const { quantity, shipDate, status: stored, complete } = JSON.parse(json) as StoredOrder;
  const status = STATUSES[stored];
  if (status === null) return null;
  return {
    id: Number(fields['number']),
    ...(pet && { petId: Number(pet.fields['number']) }),
    quantity,
    ...(shipDate !== undefined && { shipDate: `${shipDate}T00:00:00.000Z` }),
    status,
    complete,
  };
};

/**
 * Returns the input of a new order. `petId` is the UUID of the pet, not the integer in the body. `userId` is the subject
 * of the token, because the classic shape has no user (contract 39.6).
 */
export const newOrder = ({ quantity = 1, shipDate }: NewClassicOrder, petId: string, userId: string | undefined): NewOrderInput => ({
  petId,
  quantity,
  ...(userId !== undefined && { userId }),
  ...(shipDate !== undefined && { shipDate: dayOf(Date.parse(shipDate)) }),
});
