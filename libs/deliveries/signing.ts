import { createHmac, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { MAX_SIGNING_SECRETS, SECRET_OVERLAP_MILLISECONDS } from '../domain/webhooks/webhook.events.js';
import type { KeyVault } from '../eventsourcing/ports/key-vault.port.js';
import type { Webhook } from '../projections/webhooks.projection.js';
import { privateKeyOf } from '../runtime/codec/ed25519.js';
import { unreachable } from '../eventsourcing/message.js';
import type { Signable, Signer } from '../ports/signer.port.js';
import type { Delivery } from './delivery.js';
import type { Endpoint, SecretRotation } from './endpoints.js';

/**
 * The secrets of webhook endpoints. They are not stored. Each is derived from a service key, the owner of the secret and its
 * number (contract 18.3).
 */
export type WebhookSecrets = {
  /** Returns a secret by its owner and number, from 1: `whsec_` and base64 (Standard Webhooks 1.0). */
  of(owner: string, secretNumber: number): string;
};

/**
 * Returns the owner of an endpoint's secrets: the endpoint itself, or the name of the secrets within the tenant. The JSON of an
 * array never equals the id of an endpoint.
 */
export const secretOwner = ({ id, secretName }: Pick<Webhook, 'id' | 'secretName'>, tenant: string): string =>
  secretName === undefined ? id : JSON.stringify([tenant, secretName]);

/**
 * Derives secrets from the service key `webhook-secrets`, which is created on the first start. The key must never change,
 * because every secret would change with it.
 */
export const openWebhookSecrets = async (keys: KeyVault): Promise<WebhookSecrets> => {
  const key = await keys.serviceKey('webhook-secrets');
  return { of: (owner, secretNumber) => `whsec_${createHmac('sha256', key).update(`${owner}:${secretNumber}`).digest('base64')}` };
};

/**
 * Returns the numbers of the secrets that sign at the time `now`, the current secret first (contract 18.3). A former secret signs
 * for 24 h after the rotation that replaced it, if it is one of the four newest secrets.
 */
export const activeSecrets = ({ secret: current, rotatedAt }: SecretRotation, now: Date): readonly number[] => {
  const rotations = rotatedAt?.split(' ') ?? [];
  const overlapping = rotations.filter((time) => now.getTime() < Date.parse(time) + SECRET_OVERLAP_MILLISECONDS);
  // The times are latest first. The rotation at index n replaced the secret with the number `current - 1 - n`.
  return [current, ...overlapping.map((_, index) => current - 1 - index)].slice(0, MAX_SIGNING_SECRETS);
};

/** The key pair that signs order callbacks. */
export type CallbackKey = {
  readonly privateKey: KeyObject;
  /** The public key, 32 bytes. */
  readonly publicKey: Uint8Array;
};

const PUBLIC_KEY_BYTES = 32;

/** Derives the callback key (contract 17.7). Its seed is the service key `callback-signing`. */
export const openCallbackKey = async (keys: KeyVault): Promise<CallbackKey> => {
  const seed = await keys.serviceKey('callback-signing');
  const privateKey = privateKeyOf(seed);
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  // The DER form of the public key ends with its 32 bytes (RFC 8410).
  return { privateKey, publicKey: new Uint8Array(spki.subarray(-PUBLIC_KEY_BYTES)) };
};

/** The keys that sign deliveries: a shared secret per endpoint, and the service's own key for callbacks. */
export type SigningKeys = { readonly signer: Signer; readonly secrets: WebhookSecrets; readonly callbackKey: CallbackKey };

/** The current destination of an attempt. Its kind decides how the attempt is signed. */
export type Destination = { readonly kind: 'webhook'; readonly endpoint: Endpoint } | { readonly kind: 'callback'; readonly url: string };

/**
 * Builds the headers of an attempt by Standard Webhooks 1.0. The webhook-id is the same in every attempt
 * (contract 20.1).
 */
export const signedHeaders = (
  signing: SigningKeys,
  destination: Destination,
  { eventId: id }: Pick<Delivery, 'eventId'>,
  body: string,
  sentAt: Date,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'user-agent': 'petstore-webhooks/1.0',
  'webhook-id': id,
  'webhook-timestamp': secondsOf(sentAt),
  'webhook-signature': signaturesFor(signing, destination, { id, body, sentAt }).join(' '),
});

const signaturesFor = ({ signer, secrets, callbackKey }: SigningKeys, destination: Destination, message: Signable): readonly string[] => {
  switch (destination.kind) {
    case 'webhook': {
      const { endpoint } = destination;
      // For 24 h after a rotation the former secret signs too, so a receiver with either secret accepts the
      // message (contract 18.3).
      const owner = secretOwner(endpoint, endpoint.tenant);
      return activeSecrets(endpoint, message.sentAt).map((number) => signer.sign(secrets.of(owner, number), message));
    }
    case 'callback':
      return [signedByService(callbackKey, message)];
    default:
      return unreachable(destination);
  }
};

/**
 * Signs a message with the service's own Ed25519 key. The signed text has the same form as with a shared secret
 * (contract 17.7).
 */
const signedByService = ({ privateKey }: CallbackKey, { id, body, sentAt }: Signable): string =>
  `v1a,${sign(null, Buffer.from(`${id}.${secondsOf(sentAt)}.${body}`), privateKey).toString('base64')}`;

const secondsOf = (time: Date): string => String(Math.floor(time.getTime() / 1000));
