import type { Operation } from '../http/operation.js';
import { withScope } from '../http/pipeline/access.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { DeliveryListQuery, NewRedelivery, stretchInOrder } from './delivery.dto.js';
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
  schema: 'WebhookDelivery',
  example: PENDING_DELIVERY_EXAMPLE,
} as const;

/** The operations on what was delivered to webhook endpoints. */
export const DELIVERY_OPERATIONS = {
  testWebhook: {
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
  },
  listWebhookDeliveries: {
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
      schema: 'WebhookDeliveryCollection',
      example: DELIVERY_COLLECTION_EXAMPLE,
    },
    problems: ['not-found'],
  },
  getWebhookDelivery: {
    method: 'GET',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Read a delivery',
    description: 'As it stands now, with how each answer began.',
    success: { status: 200, description: 'The delivery', schema: 'WebhookDelivery', example: DELIVERY_EXAMPLE },
    problems: ['not-found'],
  },
  redeliverWebhookDelivery: {
    method: 'POST',
    path: '/v1/webhooks/{id}/deliveries/{deliveryId}/redelivery',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Send a delivery once more',
    description: 'With the same webhook-id, so that a receiver that had it already can tell. No body is read.',
    idempotent: true,
    success: REDELIVERED,
    problems: ['not-found', 'conflict'],
  },
  redeliverToWebhook: {
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
      schema: 'WebhookRedelivery',
      example: REDELIVERY_EXAMPLE,
    },
    problems: ['not-found', 'conflict'],
  },
  getWebhookRedelivery: {
    method: 'GET',
    path: '/v1/webhooks/{id}/redelivery/{redeliveryId}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Read how far a redelivery is',
    description: 'Done once everything that happened in its time has been looked at.',
    success: {
      status: 200,
      description: 'The redelivery',
      schema: 'WebhookRedelivery',
      example: { ...REDELIVERY_EXAMPLE, status: 'done', deliveries: 3 },
    },
    problems: ['not-found'],
  },
} as const satisfies Readonly<Record<string, Operation>>;
