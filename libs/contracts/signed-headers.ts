import { object, patterned, text, type JsonSchema } from './message-schema.js';

/** The message id in the examples of headers and of bodies. */
export const MESSAGE_ID = '6f1f4a52-0b5c-5c0e-9b57-2f8f3d0a1c11';

const ID = patterned(
  '^[^.]+$',
  'The id of the message. It is the same in every attempt, so that receivers can detect repeated messages',
  MESSAGE_ID,
);
const TIMESTAMP = patterned(
  '^[0-9]+$',
  'When this attempt was sent, in seconds since 1970. Reject a message whose time differs from your clock by more than five minutes',
  '1767323045',
);

/** The headers of a webhook, by Standard Webhooks 1.0 (contract 20.1). */
export const WEBHOOK_HEADERS: JsonSchema = object({
  'webhook-id': ID,
  'webhook-timestamp': TIMESTAMP,
  'webhook-signature': text(
    'One or more signatures, separated by spaces. Each is `v1,` and the base64 of an HMAC-SHA256 over `id.timestamp.body` with a secret of the endpoint. For 24 hours after a rotation, the former secret also signs. After several rotations, only the four newest secrets sign',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
});

/** The headers of a callback, signed with the service's own Ed25519 key (contract 17.7). */
export const CALLBACK_HEADERS: JsonSchema = object({
  'webhook-id': ID,
  'webhook-timestamp': TIMESTAMP,
  'webhook-signature': text(
    '`v1a,` and the base64 of an Ed25519 signature over `id.timestamp.body` with the service’s key. GET /v1/webhooks/public-key returns the public key',
    'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
  ),
});
