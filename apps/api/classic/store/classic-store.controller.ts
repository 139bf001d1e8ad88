import { Controller } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { GetInventory } from '../../../../libs/application/inventory/inventory.queries.js';
import { CreateOrder, DeleteOrder } from '../../../../libs/application/orders/order.commands.js';
import { GetOrderByNumber } from '../../../../libs/application/orders/order.queries.js';
import { GetPetByNumber, GetPet } from '../../../../libs/application/pets/pet.queries.js';
import type { View } from '../../../../libs/application/request.js';
import { isRejection } from '../../../../libs/eventsourcing/decider.js';
import { ANY_TOKEN, OWNER, OWNER_WHEN_STRICT } from '../../http/admission/access.js';
import type { CallOf, OperationRequest } from '../../http/call.js';
import { Operation } from '../../http/nest/operation.decorator.js';
import { Problem } from '../../http/problems/problem.js';
import { rejectionProblem } from '../../http/problems/rejection-problems.js';
import { shapeOf } from '../../http/validation/shape.js';
import { isVisible } from '../../orders/visible-order.js';
import { sendClassicChange, sendClassicEmpty, sendClassicRead } from '../classic-responses.js';
import { CLASSIC_STATUSES, petStatusOf } from '../pets/pet-status.js';
import { classicOrder, newOrder } from './classic-order.js';
import { ClassicOrder, NewClassicOrder } from './order.dto.js';
import { INVENTORY_EXAMPLE, NEW_ORDER_EXAMPLE, ORDER_EXAMPLE } from './order.examples.js';

const QUANTITY = { type: 'integer', format: 'int32', minimum: 0 };
const INVENTORY = {
  name: 'Inventory',
  schema: { type: 'object', description: 'The number of pets by status', additionalProperties: QUANTITY },
};
const ORDER = { status: 200, description: 'The order', schema: ClassicOrder, example: ORDER_EXAMPLE } as const;

@Controller()
export class ClassicStoreController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Operation({
    id: 'classicGetInventory',
    method: 'GET',
    path: '/api/v3/store/inventory',
    access: ANY_TOKEN,
    tag: 'Inventory',
    summary: 'Count pets by status',
    description: 'Pets that are not offered (NOT_AVAILABLE) are not counted.',
    success: { status: 200, description: 'The number of pets by status', schema: INVENTORY, example: INVENTORY_EXAMPLE },
    problems: [],
  })
  async inventory({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const quantities = await this.queries.execute(new GetInventory(call.tenant));
    const counts = CLASSIC_STATUSES.map((status) => [status, quantities[petStatusOf(status)] ?? 0] as const);
    sendClassicRead(reply, Object.fromEntries(counts), false);
  }

  @Operation({
    id: 'classicPlaceOrder',
    method: 'POST',
    path: '/api/v3/store/order',
    access: OWNER_WHEN_STRICT,
    tag: 'Orders',
    summary: 'Order a pet',
    description: 'Reserves the pet. The service sets id, status and complete, and ignores their values in the body.',
    body: shapeOf(NewClassicOrder),
    bodyExample: NEW_ORDER_EXAMPLE,
    idempotent: true,
    success: ORDER,
    problems: ['pet_not_found', 'pet_not_available', 'price_not_payable'],
  })
  async place({ call }: OperationRequest<{ body: NewClassicOrder }>, reply: FastifyReply): Promise<void> {
    const { body, caller, tenant } = call;
    const pet = await this.queries.execute(new GetPetByNumber(body.petId, tenant));
    if (!pet) throw new Problem('not-found', 'There is no pet with this id.');
    const outcome = await this.commands.execute(new CreateOrder(newOrder(body, pet.id, caller?.subject), call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendClassicChange(reply, viewOf(outcome, pet), outcome.replayed);
  }

  @Operation({
    id: 'classicGetOrderById',
    method: 'GET',
    path: '/api/v3/store/order/{orderId}',
    // Requires the owner under both access policies, because integer ids can be guessed (contract 39.6).
    access: OWNER,
    idForm: 'number',
    tag: 'Orders',
    summary: 'Read an order',
    description: 'A shipped order has the status approved. The response is 404 for a cancelled order.',
    success: ORDER,
    problems: ['order_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const order = await this.find(call);
    const pet = await this.queries.execute(new GetPet(String(order.fields['petId']), call.tenant));
    sendClassicRead(reply, viewOf(order, pet), false);
  }

  @Operation({
    id: 'classicDeleteOrder',
    method: 'DELETE',
    path: '/api/v3/store/order/{orderId}',
    access: OWNER,
    idForm: 'number',
    tag: 'Orders',
    summary: 'Delete an order',
    description: 'An order that is not shipped is also cancelled: its pet is released, and its payment is refunded.',
    success: { status: 200, description: 'The order is deleted' },
    problems: ['order_not_found'],
  })
  async delete({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const { id } = await this.find(call);
    const rejection = await this.commands.execute(new DeleteOrder(id, call.context()));
    if (rejection) throw rejectionProblem(rejection);
    sendClassicEmpty(reply);
  }

  /**
   * Returns the order with the number in the path. Throws the same 404 problem for an unknown number and for an order that the
   * caller may not see. So callers cannot find out which ids exist (contract 5.8).
   */
  private async find({ id, tenant, ownerRestriction }: CallOf<object>): Promise<View> {
    const order = await this.queries.execute(new GetOrderByNumber(Number(id), tenant));
    if (!order || !isVisible(order, ownerRestriction)) throw orderNotFound();
    return order;
  }
}

const orderNotFound = (): Problem => new Problem('not-found', 'There is no order with this id.');

/** Returns an order in the classic shape. Throws a 404 problem if the order is cancelled (contract 39.6). */
const viewOf = (order: View, pet: View | null): ClassicOrder => {
  const classic = classicOrder(order, pet);
  if (!classic) throw orderNotFound();
  return classic;
};
