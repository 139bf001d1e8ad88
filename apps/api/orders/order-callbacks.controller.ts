import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { RequestCallback } from '../../../libs/application/orders/order.requests.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { JSON_TYPE } from '../http/answers.js';
import type { Asking } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import type { PublicAddress } from '../http/public-address.js';
import { refusalProblem } from '../http/problems/refusals.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { refuseForbidden } from '../webhooks/called-address.js';
import { visibleOrder } from './visible-order.js';

@Controller()
export class OrderCallbacksController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation('callbackOrder')
  async request({ call }: Asking<'callbackOrder'>, reply: FastifyReply): Promise<void> {
    const { amount, currency, timestamp, callbackUrl } = call.body;
    // "A forbidden or malformed callbackUrl is 400."
    await refuseForbidden(this.queries, { field: 'callbackUrl', url: callbackUrl }, 'invalid-request');
    if (call.confinedTo !== null) await visibleOrder(this.queries, call);
    const wish = { callbackUrl, amount, currency, timestamp };
    const outcome = await this.commands.execute(new RequestCallback(call.id, wish, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    if (outcome.replayed) reply.header('idempotent-replayed', 'true');
    // "answers 201 `{}`"; "requestId is a UUID, also sent in the 201's `X-Callback-Request-Id`"
    reply
      .code(201)
      .header('x-callback-request-id', outcome.requestId)
      .header('location', `${this.address.url}/v1/orders/${call.id}`)
      .header('cache-control', 'no-store')
      .header('content-type', JSON_TYPE)
      .send('{}');
  }
}
