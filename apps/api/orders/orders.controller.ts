import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CreateOrder, DeleteOrder, DeliverOrder, ListOrders, ShipOrder } from '../../../libs/application/orders/order.requests.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { PRIVATE_REVALIDATE, sendChanged, sendCreated, sendGone, sendRead } from '../http/answers.js';
import type { Asking } from '../http/call.js';
import { collectionJson, digestTag, pageAsked, pageUrls } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { Problem } from '../http/problems/problem.js';
import type { PublicAddress } from '../http/public-address.js';
import { refusalProblem } from '../http/problems/refusals.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { orderWish } from './order.wishes.js';
import { visibleOrder } from './visible-order.js';

@Controller()
export class OrdersController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation('listOrders')
  async list({ call }: Asking<'listOrders'>, reply: FastifyReply): Promise<void> {
    const { query, tenant, confinedTo } = call;
    const { page, limit } = pageAsked(query);
    const { page: _page, limit: _limit, petId, ...filter } = query;
    if (confinedTo !== null && filter.userId !== undefined && filter.userId !== confinedTo)
      throw new Problem('forbidden', "Somebody else's orders are for staff to see, with scope write:orders.");
    const wanted = {
      ...filter,
      ...(petId !== undefined && { petId: petId.toLowerCase() }),
      ...(confinedTo !== null && { userId: confinedTo }),
    };
    const found = await this.queries.execute(new ListOrders(wanted, page, limit, tenant));
    const json = collectionJson(found, { page, limit }, pageUrls(`${this.address.url}/v1/orders`, query, limit));
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation('createOrder')
  async create({ call }: Asking<'createOrder'>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new CreateOrder(orderWish(call), call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendCreated(reply, outcome, `${this.address.url}/v1/orders/${outcome.id}`);
  }

  @Operation('getOrder')
  async get({ call }: Asking<'getOrder'>, reply: FastifyReply): Promise<void> {
    const { json, etag } = await visibleOrder(this.queries, call);
    sendRead(reply, json, etag, PRIVATE_REVALIDATE);
  }

  @Operation('deleteOrder')
  async delete({ call }: Asking<'deleteOrder'>, reply: FastifyReply): Promise<void> {
    if (call.confinedTo !== null) await visibleOrder(this.queries, call);
    const refused = await this.commands.execute(new DeleteOrder(call.id, call.context()));
    if (refused) throw refusalProblem(refused);
    sendGone(reply);
  }

  @Operation('shipOrder')
  async ship({ call }: Asking<'shipOrder'>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new ShipOrder(call.id, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendChanged(reply, outcome);
  }

  @Operation('deliverOrder')
  async deliver({ call }: Asking<'deliverOrder'>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new DeliverOrder(call.id, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendChanged(reply, outcome);
  }
}
