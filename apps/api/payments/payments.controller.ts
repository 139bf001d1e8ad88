import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { CreateOrderPayment, GetOrderPayment, GetReceipt } from '../../../libs/application/payments/payment.requests.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { PRIVATE_REVALIDATE, sendCreated, sendRead } from '../http/answers.js';
import type { Asking } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { Problem } from '../http/problems/problem.js';
import type { PublicAddress } from '../http/public-address.js';
import { refusalProblem } from '../http/problems/refusals.js';
import { isVisible, visibleOrder } from '../orders/visible-order.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { paymentWish } from './payment.shape.js';

@Controller()
export class PaymentsController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation('createOrderPayment')
  async create({ call }: Asking<'createOrderPayment'>, reply: FastifyReply): Promise<void> {
    if (call.confinedTo !== null) await visibleOrder(this.queries, call);
    const outcome = await this.commands.execute(new CreateOrderPayment(call.id, paymentWish(call.body), call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendCreated(reply, outcome, `${this.address.url}/v1/orders/${call.id}/payment`);
  }

  @Operation('getOrderPayment')
  async get({ call }: Asking<'getOrderPayment'>, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetOrderPayment(call.id, call.tenant));
    if (!view || !isVisible(view, call.confinedTo)) throw new Problem('not-found', 'There is no payment of such an order.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  @Operation('getOrderReceipt')
  async receipt({ call }: Asking<'getOrderReceipt'>, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetReceipt(call.id, call.tenant, this.address.url));
    if (!view || !isVisible(view, call.confinedTo))
      throw new Problem('not-found', 'There is no receipt of such an order; there is one once the order is approved.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }
}
