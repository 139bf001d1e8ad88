import { createHmac } from 'node:crypto';
import type { KeyVault } from '../../eventsourcing/key-vault.port.js';

/** "The old one signs too for 24 h." */
export const SECRET_OVERLAP_MILLISECONDS = 24 * 3_600_000;

/** What the read model says of an endpoint's secrets. */
export type SecretStanding = { readonly secret: number; readonly rotatedAt: string | null };

/** The secrets of webhook endpoints. They are stored nowhere: each follows from its number and the service's key. */
export type WebhookSecrets = {
  /** An endpoint's secret of that number, as its owner gets it: `whsec_` and base64 (Standard Webhooks 1.0). */
  of(webhookId: string, secret: number): string;
};

/** Secrets under the service key `webhook-secrets`, which is made on the first start and must never change. */
export const openWebhookSecrets = async (keys: KeyVault): Promise<WebhookSecrets> => {
  const key = await keys.serviceKey('webhook-secrets');
  return { of: (webhookId, secret) => `whsec_${createHmac('sha256', key).update(`${webhookId}:${secret}`).digest('base64')}` };
};

/** The numbers of the secrets that sign at a time, the one in force first. */
export const secretsInForce = ({ secret, rotatedAt }: SecretStanding, now: Date): readonly number[] =>
  rotatedAt !== null && now.getTime() < Date.parse(rotatedAt) + SECRET_OVERLAP_MILLISECONDS ? [secret, secret - 1] : [secret];
