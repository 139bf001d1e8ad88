import type { Operation } from '../http/operation.js';
import { ANYBODY, withScope } from '../http/pipeline/access.js';
import { PageQuery } from '../http/collection.dto.js';
import { queryShapeOf } from '../http/validation/query-shape.js';
import { shapeOf } from '../http/validation/shape.js';
import { NewWebhook, WebhookReplacement } from './webhook.dto.js';
import {
  CALLBACK_PUBLIC_KEY_EXAMPLE,
  NEW_WEBHOOK_EXAMPLE,
  REGISTERED_WEBHOOK_EXAMPLE,
  WEBHOOK_COLLECTION_EXAMPLE,
  WEBHOOK_EXAMPLE,
  WEBHOOK_REPLACEMENT_EXAMPLE,
  WEBHOOK_SECRET_EXAMPLE,
} from './webhook.examples.js';

/** The operations on webhook endpoints. */
export const WEBHOOK_OPERATIONS = {
  listWebhooks: {
    method: 'GET',
    path: '/v1/webhooks',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'List webhook endpoints',
    description: 'Newest first. Their secrets are not shown.',
    query: queryShapeOf(PageQuery),
    success: { status: 200, description: 'A page of endpoints', schema: 'WebhookCollection', example: WEBHOOK_COLLECTION_EXAMPLE },
    problems: [],
  },
  createWebhook: {
    method: 'POST',
    path: '/v1/webhooks',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Register a webhook endpoint',
    description:
      'From now on the events asked for are posted to the address, signed by Standard Webhooks 1.0 with the secret that this answer shows, and no later one. ' +
      'An address that is not on the public Internet is refused. A tenant has 50 endpoints at most.',
    body: shapeOf(NewWebhook),
    bodyExample: NEW_WEBHOOK_EXAMPLE,
    idempotent: true,
    success: {
      status: 201,
      description: 'The endpoint, with its secret',
      schema: 'RegisteredWebhook',
      example: REGISTERED_WEBHOOK_EXAMPLE,
    },
    problems: ['conflict'],
  },
  getWebhook: {
    method: 'GET',
    path: '/v1/webhooks/{id}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Read a webhook endpoint',
    description: 'A disabled one says why it is. The secret is not shown.',
    success: { status: 200, description: 'The endpoint', schema: 'Webhook', example: WEBHOOK_EXAMPLE },
    problems: ['not-found'],
  },
  updateWebhook: {
    method: 'PUT',
    path: '/v1/webhooks/{id}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Replace a webhook endpoint',
    description: 'The secret stays. status enabled switches a disabled endpoint on again.',
    body: shapeOf(WebhookReplacement),
    bodyExample: WEBHOOK_REPLACEMENT_EXAMPLE,
    conditional: true,
    success: { status: 200, description: 'The endpoint as it is now', schema: 'Webhook', example: { ...WEBHOOK_EXAMPLE, ordered: true } },
    problems: ['not-found'],
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/v1/webhooks/{id}',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing is sent to it any more.',
    conditional: true,
    success: { status: 204, description: 'The endpoint is gone' },
    problems: ['not-found'],
  },
  rotateWebhookSecret: {
    method: 'POST',
    path: '/v1/webhooks/{id}/secret',
    access: withScope('write:webhooks'),
    tag: 'Webhooks',
    summary: 'Give a webhook endpoint another secret',
    description:
      'For 24 hours deliveries are signed with the former one too, so that the receiver can change over without a gap. At most the four newest secrets sign at a time. No body is read.',
    idempotent: true,
    success: { status: 200, description: 'The new secret', schema: 'WebhookSecret', example: WEBHOOK_SECRET_EXAMPLE },
    problems: ['not-found'],
  },
  getCallbackPublicKey: {
    method: 'GET',
    path: '/v1/webhooks/public-key',
    // The receiver of a callback must be able to verify it, and may be no client of this service.
    access: ANYBODY,
    tag: 'Webhooks',
    summary: 'Read the key that callbacks are checked with',
    description: 'Order callbacks are signed with the private half (Ed25519, `v1a` of Standard Webhooks 1.0). The same for all tenants.',
    success: { status: 200, description: 'The public half', schema: 'CallbackPublicKey', example: CALLBACK_PUBLIC_KEY_EXAMPLE },
    problems: [],
  },
} as const satisfies Readonly<Record<string, Operation>>;
