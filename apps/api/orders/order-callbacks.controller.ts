import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { RequestCallback } from '../../../libs/application/orders/order.commands.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { JSON_TYPE } from '../http/responses.js';
import type { OperationRequest } from '../http/call.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { OWNER_WHEN_STRICT } from '../http/admission/access.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { decimalsOf } from '../http/decimals.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import { rejectForbiddenAddress } from '../webhooks/called-address.js';
import { callbackInput, ORDER_CALLBACK_ACCEPTED, OrderCallbackRequest } from './order-callback.dto.js';
import { ORDER_CALLBACK_EXAMPLE } from './order.examples.js';
import { visibleOrder } from './visible-order.js';

@Controller()
export class OrderCallbacksController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
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
      'Checks the order in the background and posts the result to callbackUrl. The status in the callback is COMPLETED if the order is open or paid, and its amount due and currency equal those of the request. Otherwise it is FAILED. ' +
      'The requestId in the callback is the value of the response header X-Callback-Request-Id. The callback is signed, and /v1/webhooks/public-key returns the public key. The service retries a callback that is not acknowledged. ' +
      'An order has at most five open callbacks at a time, and 100 in total.',
    body: shapeOf(OrderCallbackRequest, [decimalsOf('amount')]),
    bodyExample: ORDER_CALLBACK_EXAMPLE,
    // An invalid body is a 400 instead of a 422 (contract 4.3).
    validationProblem: 'invalid-request',
    idempotent: true,
    success: {
      status: 201,
      description: 'The callback is requested',
      schema: ORDER_CALLBACK_ACCEPTED,
      example: {},
      headers: ['X-Callback-Request-Id'],
      withoutEtag: true,
    },
    problems: ['order_not_found', 'too_many_open_callbacks', 'too_many_callbacks'],
  })
  async request({ call }: OperationRequest<{ body: OrderCallbackRequest }>, reply: FastifyReply): Promise<void> {
    const input = callbackInput(call.body);
    // The callback URL must be on the public Internet (contract 17.1).
    await rejectForbiddenAddress(this.queries, { field: 'callbackUrl', url: input.callbackUrl }, 'invalid-request');
    // The command does not check who owns the order. If `ownerRestriction` is null, any order is permitted.
    if (call.ownerRestriction !== null) await visibleOrder(this.queries, call);
    const outcome = await this.commands.execute(new RequestCallback(call.id, input, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    if (outcome.replayed) reply.header('idempotent-replayed', 'true');
    // The body is an empty object (contract 17.2).
    reply
      .code(201)
      .header('x-callback-request-id', outcome.requestId)
      .header('location', `${this.address.url}/v1/orders/${call.id}`)
      .header('cache-control', 'no-store')
      .header('content-type', JSON_TYPE)
      .send('{}');
  }
}
