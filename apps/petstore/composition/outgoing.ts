import { openEgress } from '../../../libs/adapters/egress/index.js';
import { standardSigner } from '../../../libs/adapters/signing/index.js';
import { randomness } from '../../../libs/adapters/system/index.js';
import type { Retrying } from '../../../libs/application/deliveries/schedule.js';
import type { Signing } from '../../../libs/application/deliveries/signatures.js';
import type { Settings } from '../../../libs/application/settings.js';
import { openCallbackKey } from '../../../libs/application/webhooks/callback-key.js';
import { openWebhookSecrets } from '../../../libs/application/webhooks/webhook-secrets.js';
import type { Clock } from '../../../libs/eventsourcing/clock.port.js';
import type { Egress } from '../../../libs/ports/egress.port.js';
import type { KeyVault } from '../../../libs/eventsourcing/key-vault.port.js';

/** The part of the settings that says where callers may have requests sent. */
export type EgressSettings = Pick<Settings, 'egressAllow' | 'egressProxy'>;

/** The one way out to addresses that callers supplied. */
export const egressOn = (clock: Clock, { egressAllow: allow, egressProxy: proxy }: EgressSettings): Egress =>
  openEgress({ clock, allow, ...(proxy !== undefined && { proxy }) });

/** What signs deliveries; every process has the same, since it follows from the service's keys. */
export const openSigning = async (keys: KeyVault): Promise<Signing> => ({
  signer: standardSigner,
  secrets: await openWebhookSecrets(keys),
  callbackKey: await openCallbackKey(keys),
});

/** When deliveries are tried again. */
export const retryingBy = ({ webhookRetryDelays: delays }: Pick<Settings, 'webhookRetryDelays'>): Retrying => ({
  delays,
  random: randomness,
});
