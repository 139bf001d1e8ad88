import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Redeliver, RedeliverSince, SendTest } from '../../../libs/application/deliveries/delivery.handlers.js';
import { GetDelivery, GetRedelivery, ListDeliveries } from '../../../libs/application/deliveries/delivery.queries.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { PRIVATE_REVALIDATE, sendAccepted, sendRead } from '../http/answers.js';
import type { OperationRequest } from '../http/call.js';
import { collectionJson, digestTag, pageAsked } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { withScope } from '../http/admission/access.js';
import { Problem } from '../http/problems/problem.js';
import { refusalProblem } from '../http/problems/refusals.js';
import type { PublicAddress } from '../http/public-address.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import {
  deliveryFilter,
  DeliveryListQuery,
  NewRedelivery,
  redeliveryInput,
  stretchInOrder,
  WebhookDelivery,
  WebhookDeliveryCollection,
  WebhookRedelivery,
} from './delivery.dto.js';
import {
  DELIVERY_COLLECTION_EXAMPLE,
  DELIVERY_EXAMPLE,
  NEW_REDELIVERY_EXAMPLE,
  PENDING_DELIVERY_EXAMPLE,
  REDELIVERY_EXAMPLE,
} from './webhook.examples.js';

const REDELIVERED = {
  status: 202,
  description: 'The delivery, to be sent in a moment',
  schema: WebhookDelivery,
  example: PENDING_DELIVERY_EXAMPLE,
} as const;

@Controller()
export class DeliveriesController {
  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(QueryBus) private readonly queries: QueryBus,
    @Inject(PUBLIC_ADDRESS) private readonly address: PublicAddress,
  ) {}

  @Operation({
    id: 'testWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/test',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Send a test to a webhook endpoint',
    description:
      'Posts a `webhook.test`, which says nothing, signed and repeated as any event. Read the delivery to learn what came of it. No body is read.',
    idempotent: true,
    success: REDELIVERED,
    problems: ['not-found', 'conflict'],
  })
  async test({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new SendTest(call.id, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendAccepted(reply, outcome, this.at(call.id, `deliveries/${outcome.id}`));
  }

  @Operation({
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'List the deliveries of a webhook endpoint',
    description:
      'Newest first, each with what was sent, every attempt with its status and timing, and when it is tried next. How an answer began is shown with the one delivery.',
    query: queryShapeOf(DeliveryListQuery),
    success: {
      status: 200,
      description: 'A page of deliveries',
      schema: WebhookDeliveryCollection,
      example: DELIVERY_COLLECTION_EXAMPLE,
    },
    problems: ['not-found'],
  })
  async list({ call }: OperationRequest<{ query: DeliveryListQuery }>, reply: FastifyReply): Promise<void> {
    const { id, query, tenant } = call;
    const asked = pageAsked(query);
    const found = await this.queries.execute(new ListDeliveries(id, deliveryFilter(query), asked.page, asked.limit, tenant));
    if (!found) throw new Problem('not-found', 'There is no such webhook endpoint.');
    const json = collectionJson(found, asked);
    sendRead(reply, json, digestTag(json), PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'getWebhookDelivery',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Read a delivery',
    description: 'As it stands now, with how each answer began.',
    success: { status: 200, description: 'The delivery', schema: WebhookDelivery, example: DELIVERY_EXAMPLE },
    problems: ['not-found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetDelivery(call.id, call.part, call.tenant));
    if (!view) throw new Problem('not-found', 'There is no such delivery of this webhook endpoint.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'redeliverWebhookDelivery',
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redelivery',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Send a delivery once more',
    description: 'With the same webhook-id, so that a receiver that had it already can tell. No body is read.',
    idempotent: true,
    success: REDELIVERED,
    problems: ['not-found', 'conflict'],
  })
  async redeliver({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new Redeliver(call.id, call.part, call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendAccepted(reply, outcome, this.at(call.id, `deliveries/${outcome.id}`));
  }

  @Operation({
    id: 'redeliverToWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/redelivery',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Send all that happened in a stretch of time once more',
    description:
      'What the endpoint asks for now and what happened then, whether or not it was sent before, also from before the endpoint was registered. Each keeps its webhook-id. One stretch at a time: while another is under way it is refused with 409.',
    body: shapeOf(NewRedelivery, [stretchInOrder]),
    bodyExample: NEW_REDELIVERY_EXAMPLE,
    idempotent: true,
    success: {
      status: 202,
      description: 'What was asked for, and how far it is',
      schema: WebhookRedelivery,
      example: REDELIVERY_EXAMPLE,
    },
    problems: ['not-found', 'conflict'],
  })
  async redeliverSince({ call }: OperationRequest<{ body: NewRedelivery }>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new RedeliverSince(call.id, redeliveryInput(call.body), call.context()));
    if (isRejection(outcome)) throw refusalProblem(outcome);
    sendAccepted(reply, outcome, this.at(call.id, `redelivery/${outcome.id}`));
  }

  @Operation({
    id: 'getWebhookRedelivery',
    method: 'GET',
    path: '/v1/webhooks/{id}/redelivery/{redeliveryId}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Read how far a redelivery is',
    description: 'Done once everything that happened in its time has been looked at.',
    success: {
      status: 200,
      description: 'The redelivery',
      schema: WebhookRedelivery,
      example: { ...REDELIVERY_EXAMPLE, status: 'done', deliveries: 3 },
    },
    problems: ['not-found'],
  })
  async redelivery({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetRedelivery(call.id, call.part, call.tenant));
    if (!view) throw new Problem('not-found', 'There is no such redelivery of this webhook endpoint.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  private at(id: string, part: string): string {
    return `${this.address.url}/v1/webhooks/${id}/${part}`;
  }
}
