import type { OrderWish } from '../../../libs/application/orders/create-order.handler.js';
import type { CallOf } from '../http/call.js';
import { Problem } from '../http/problems/problem.js';
import type { NewOrder } from './order.dto.js';

/** What an order asks for. "userId …: with a token it is the subject when absent, and under `strict` another's id is 403 unless staff." */
export const orderWish = ({ body, caller, confinedTo }: CallOf<{ body: NewOrder }>): OrderWish => {
  const { petId, quantity = 1, shipDate } = body;
  const userId = body.userId ?? caller?.subject;
  if (confinedTo !== null && userId !== confinedTo)
    throw new Problem('forbidden', 'An order for somebody else is for staff to place, with scope write:orders.');
  return { petId: petId.toLowerCase(), quantity, ...(userId !== undefined && { userId }), ...(shipDate !== undefined && { shipDate }) };
};
