import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Redeliver, RedeliverSince, SendTest } from '../../../libs/application/deliveries/delivery.commands.js';
import { GetDelivery, GetRedelivery, ListDeliveries } from '../../../libs/application/deliveries/delivery.queries.js';
import type { View } from '../../../libs/application/request.js';
import { isRejection } from '../../../libs/eventsourcing/decider.js';
import { PRIVATE_REVALIDATE, sendAccepted, sendRead } from '../http/responses.js';
import type { OperationRequest } from '../http/call.js';
import { digestTag, pageRequest, sendPage } from '../http/collections.js';
import { Operation } from '../http/nest/operation.decorator.js';
import { withScope } from '../http/admission/access.js';
import { Problem } from '../http/problems/problem.js';
import { rejectionProblem } from '../http/problems/rejection-problems.js';
import type { PublicAddress } from '../http/public-address.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { PUBLIC_ADDRESS } from '../tokens.js';
import {
  deliveryFilter,
  DeliveryListQuery,
  NewRedelivery,
  redeliveryInput,
  validateTimeRange,
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

const DELIVERY_ACCEPTED = {
  status: 202,
  description: 'The delivery, which the service sends soon',
  schema: WebhookDelivery,
  example: PENDING_DELIVERY_EXAMPLE,
} as const;

const NO_REDELIVERY = 'This webhook endpoint has no redelivery with this id.';

/**
 * Returns the view of a redelivery with a digest as its entity tag. The revision of the redelivery counts the pages of the
 * log that were read. As an entity tag, the revision would reveal roughly how many events other tenants have
 * (contract 6.2, 8.1).
 */
const withDigestTag = (view: View): View => ({ ...view, etag: digestTag(view.json) });

@Controller()
export class DeliveriesController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
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
      'Sends the event `webhook.test`, signed and retried like any event. Read the delivery to see the result. The operation ignores a JSON body.',
    idempotent: true,
    success: DELIVERY_ACCEPTED,
    problems: ['webhook_not_found', 'webhook_disabled'],
  })
  async test({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new SendTest(call.id, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendAccepted(reply, outcome, this.urlOf(call.id, `deliveries/${outcome.id}`));
  }

  @Operation({
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'List the deliveries of a webhook endpoint',
    description:
      'Newest first. Shows the request, the attempts with status and duration, and the time of the next attempt. getWebhookDelivery also shows the beginning of each response.',
    query: queryShapeOf(DeliveryListQuery),
    success: {
      status: 200,
      description: 'A page of deliveries',
      schema: WebhookDeliveryCollection,
      example: DELIVERY_COLLECTION_EXAMPLE,
    },
    problems: ['webhook_not_found'],
  })
  async list({ call }: OperationRequest<{ query: DeliveryListQuery }>, reply: FastifyReply): Promise<void> {
    const { id, query, tenant } = call;
    const { page, limit } = pageRequest(query);
    const found = await this.queries.execute(new ListDeliveries(id, deliveryFilter(query), page, limit, tenant));
    if (!found) throw new Problem('not-found', 'There is no webhook endpoint with this id.');
    sendPage(reply, found, query);
  }

  @Operation({
    id: 'getWebhookDelivery',
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Read a delivery',
    description: 'The current state of the delivery, with the beginning of each response.',
    success: { status: 200, description: 'The delivery', schema: WebhookDelivery, example: DELIVERY_EXAMPLE },
    problems: ['delivery_not_found'],
  })
  async get({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetDelivery(call.id, call.secondId, call.tenant));
    if (!view) throw new Problem('not-found', 'This webhook endpoint has no delivery with this id.');
    sendRead(reply, view.json, view.etag, PRIVATE_REVALIDATE);
  }

  @Operation({
    id: 'redeliverWebhookDelivery',
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redelivery',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Redeliver a delivery',
    description:
      'Sends the delivery again with the same webhook-id, so that a receiver can ignore a duplicate. The operation ignores a JSON body.',
    idempotent: true,
    success: DELIVERY_ACCEPTED,
    problems: ['webhook_not_found', 'delivery_not_found', 'webhook_disabled'],
  })
  async redeliver({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new Redeliver(call.id, call.secondId, call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendAccepted(reply, outcome, this.urlOf(call.id, `deliveries/${outcome.id}`));
  }

  @Operation({
    id: 'redeliverToWebhook',
    method: 'POST',
    path: '/v1/webhooks/{id}/redelivery',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Redeliver the events of a time range',
    description:
      'Sends the events from `since` to `until`, if the endpoint now subscribes to them. ' +
      'Events that were delivered before are sent again. ' +
      'Events from before the registration of the endpoint are included. Each event keeps its webhook-id. ' +
      'An endpoint has one redelivery at a time: a second one is rejected with 409.',
    body: shapeOf(NewRedelivery, [validateTimeRange]),
    bodyExample: NEW_REDELIVERY_EXAMPLE,
    idempotent: true,
    success: {
      status: 202,
      description: 'The redelivery and its progress',
      schema: WebhookRedelivery,
      example: REDELIVERY_EXAMPLE,
    },
    problems: ['webhook_not_found', 'webhook_disabled', 'redelivery_running'],
  })
  async redeliverSince({ call }: OperationRequest<{ body: NewRedelivery }>, reply: FastifyReply): Promise<void> {
    const outcome = await this.commands.execute(new RedeliverSince(call.id, redeliveryInput(call.body), call.context()));
    if (isRejection(outcome)) throw rejectionProblem(outcome);
    sendAccepted(reply, withDigestTag(outcome), this.urlOf(call.id, `redelivery/${outcome.id}`));
  }

  @Operation({
    id: 'getWebhookRedelivery',
    method: 'GET',
    path: '/v1/webhooks/{id}/redelivery/{redeliveryId}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Read the progress of a redelivery',
    description: 'The status is `running`, or `done` after all events of the time range have been processed.',
    success: {
      status: 200,
      description: 'The redelivery',
      schema: WebhookRedelivery,
      example: { ...REDELIVERY_EXAMPLE, status: 'done', deliveries: 3 },
    },
    problems: [{ notFound: NO_REDELIVERY }],
  })
  async redelivery({ call }: OperationRequest, reply: FastifyReply): Promise<void> {
    const view = await this.queries.execute(new GetRedelivery(call.id, call.secondId, call.tenant));
    if (!view) throw new Problem('not-found', NO_REDELIVERY);
    sendRead(reply, view.json, withDigestTag(view).etag, PRIVATE_REVALIDATE);
  }

  private urlOf(id: string, part: string): string {
    return `${this.address.url}/v1/webhooks/${id}/${part}`;
  }
}
