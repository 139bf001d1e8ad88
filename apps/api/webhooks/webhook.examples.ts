import { exampleOf } from '../../../libs/contracts/message-schema.js';
import type { WebhookBody } from '../../../libs/contracts/webhook-contract.js';
import { orderStatusChanged } from '../../../libs/contracts/webhooks.js';

/** Examples for the OpenAPI document. A test validates them. */
export const NEW_WEBHOOK_EXAMPLE = { url: 'https://shop.example.com/webhooks', events: ['order.statusChanged', 'payment.succeeded'] };

const WEBHOOK_ID = '0190a6b5-3f4a-7d67-8e3c-6a4d8f5b7c93';
const SECRET = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';

export const WEBHOOK_EXAMPLE = {
  id: WEBHOOK_ID,
  ...NEW_WEBHOOK_EXAMPLE,
  ordered: false,
  status: 'enabled',
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

export const REGISTERED_WEBHOOK_EXAMPLE = { ...WEBHOOK_EXAMPLE, secret: SECRET };

export const WEBHOOK_REPLACEMENT_EXAMPLE = { ...NEW_WEBHOOK_EXAMPLE, ordered: true, status: 'enabled' };

const ONLY_PAGE = { page: 1, limit: 20, totalItems: 1, totalPages: 1 };

export const WEBHOOK_COLLECTION_EXAMPLE = { data: [WEBHOOK_EXAMPLE], pagination: ONLY_PAGE };

export const WEBHOOK_SECRET_EXAMPLE = {
  secret: SECRET,
  rotatedAt: '2026-01-02T03:04:05.678Z',
  formerUntil: '2026-01-03T03:04:05.678Z',
};

export const CALLBACK_PUBLIC_KEY_EXAMPLE = {
  publicKey: 'whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
  jwk: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    use: 'sig',
    alg: 'EdDSA',
    kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  },
};

const BODY = exampleOf(orderStatusChanged.schema) as WebhookBody;

export const DELIVERY_EXAMPLE = {
  id: '8a1d2c3b-4e5f-5a6b-8c7d-9e0f1a2b3c4d',
  webhookId: WEBHOOK_ID,
  eventId: BODY.eventId,
  eventType: BODY.eventType,
  status: 'delivered',
  createdAt: '2026-01-02T03:04:05.700Z',
  nextAttemptAt: null,
  request: { headers: { 'content-type': 'application/json', 'webhook-id': BODY.eventId }, body: BODY },
  attempts: [{ at: '2026-01-02T03:04:05.912Z', url: NEW_WEBHOOK_EXAMPLE.url, durationMilliseconds: 42, status: 200, answer: 'ok' }],
};

export const PENDING_DELIVERY_EXAMPLE = { ...DELIVERY_EXAMPLE, status: 'pending', nextAttemptAt: '2026-01-02T03:04:05.700Z', attempts: [] };

/** A list of deliveries does not show the bodies of the receiver's responses (contract 20.13). */
const LISTED_DELIVERY_EXAMPLE = { ...DELIVERY_EXAMPLE, attempts: DELIVERY_EXAMPLE.attempts.map(({ answer: _, ...attempt }) => attempt) };

export const DELIVERY_COLLECTION_EXAMPLE = { data: [LISTED_DELIVERY_EXAMPLE], pagination: ONLY_PAGE };

export const NEW_REDELIVERY_EXAMPLE = { since: '2026-01-02T00:00:00Z', until: '2026-01-03T00:00:00Z' };

export const REDELIVERY_EXAMPLE = {
  id: '0190a6b6-4a5b-7e78-9f4d-7b5e9a6c8da4',
  webhookId: WEBHOOK_ID,
  since: '2026-01-02T00:00:00.000Z',
  until: '2026-01-03T00:00:00.000Z',
  status: 'running',
  deliveries: 0,
  createdAt: '2026-01-03T08:00:00.000Z',
};
