import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { RequestCallback } from '../../../libs/application/orders/request-callback.handler.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { JSON_TYPE } from '../http/answers.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { OWNER_WHEN_STRICT } from '../http/admission/access.js';
import { refusalProblem } from '../http/problems/refusals.js';
import type { PublicAddress } from '../http/public-address.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { refuseForbidden } from '../webhooks/called-address.js';
import { callbackInput, ORDER_CALLBACK_ACCEPTED, OrderCallbackRequest } from './order-callback.dto.js';
import { visibleOrder } from './visible-order.js';

/** Example values for readers of the interface description; each is checked against its schema. */
const ORDER_CALLBACK_EXAMPLE = {
  amount: '250.00',
  currency: 'USD',
  timestamp: '2026-01-02T03:04:05Z',
  callbackUrl: 'https://shop.example.com/callbacks',
};

@Controller()
export class OrderCallbacksController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'callbackOrder',
    method: 'POST',
    path: '/v1/orders/{id}',
    access: OWNER_WHEN_STRICT,
    tag: 'Orders',
    summary: 'Request an order callback',
    description:
      'The order is checked in the background, and the outcome posted to callbackUrl: COMPLETED when the order is open or paid and amount and currency are what is due, else FAILED. ' +
      'It carries the requestId of this answer’s X-Callback-Request-Id, is signed with the key at /v1/webhooks/public-key, and is repeated until it is acknowledged. ' +
      'Five callbacks of an order may be on their way at once.',
    body: shapeOf(OrderCallbackRequest),
    bodyExample: ORDER_CALLBACK_EXAMPLE,
    // "Where an operation lists only 400 (QUERY /pets, POST /orders/{id}), validation failures are 400 there."
    violations: 'invalid-request',
    idempotent: true,
    success: {
      status: 201,
      description: 'The callback will come',
      schema: ORDER_CALLBACK_ACCEPTED,
      example: {},
      headers: ['X-Callback-Request-Id'],
    },
    problems: ['not-found', 'conflict'],
  })
  async request({ call }: OperationRequest<{ body: OrderCallbackRequest }>, reply: FastifyReply): Promise<void> {
    const input = callbackInput(call.body);
    // "A forbidden or malformed callbackUrl is 400."
    await refuseForbidden(this.queries, { field: 'callbackUrl', url: input.callbackUrl }, 'invalid-request');
    if (call.confinedTo !== null) await visibleOrder(this.queries, call);
    const outcome = await this.commands.execute(new RequestCallback(call.id, input, call.context()));
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
