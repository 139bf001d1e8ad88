import { createHmac } from 'node:crypto';
import { MAX_SIGNING_SECRETS, SECRET_OVERLAP_MILLISECONDS } from '../../domain/webhooks/webhook.events.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { WebhookFields } from '../../projections/webhooks.projection.js';

/** The state of an endpoint's secrets in the read model. */
export type SecretRotation = Pick<WebhookFields, 'secret' | 'rotatedAt'>;

/**
 * The secrets of webhook endpoints. They are not stored: each is derived from its number and the service's
 * key.
 */
export type WebhookSecrets = {
  /** Returns an endpoint's secret by its number: `whsec_` and base64 (Standard Webhooks 1.0). */
  of(webhookId: string, secret: number): string;
};

/**
 * Derives secrets from the service key `webhook-secrets`, which is created on the first start and must never
 * change.
 */
export const openWebhookSecrets = async (keys: KeyVault): Promise<WebhookSecrets> => {
  const key = await keys.serviceKey('webhook-secrets');
  return { of: (webhookId, secret) => `whsec_${createHmac('sha256', key).update(`${webhookId}:${secret}`).digest('base64')}` };
};

/**
 * Returns the numbers of the secrets that sign at a time, the current one first. After a rotation the former
 * secret signs for 24 h, or until three newer ones sign.
 */
export const activeSecrets = ({ secret, rotatedAt }: SecretRotation, now: Date): readonly number[] => {
  const rotations = rotatedAt?.split(' ') ?? [];
  const overlapping = rotations.filter((time) => now.getTime() < Date.parse(time) + SECRET_OVERLAP_MILLISECONDS);
  return [secret, ...overlapping.map((_, before) => secret - 1 - before)].slice(0, MAX_SIGNING_SECRETS);
};
