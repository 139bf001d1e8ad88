import { createHmac } from 'node:crypto';
import { MAX_SIGNING_SECRETS, SECRET_OVERLAP_MILLISECONDS } from '../../domain/webhooks/webhook.events.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { Webhook, WebhookFields } from '../../projections/webhooks.projection.js';

/** The state of an endpoint's secrets in the read model. */
export type SecretRotation = Pick<WebhookFields, 'secret' | 'rotatedAt'>;

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
