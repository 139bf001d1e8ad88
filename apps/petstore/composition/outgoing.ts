import { openEgress } from '../../../libs/adapters/egress/index.js';
import { standardSigner } from '../../../libs/adapters/signing/index.js';
import { randomness } from '../../../libs/adapters/system/index.js';
import type { Retrying } from '../../../libs/deliveries/dispatch/schedule.js';
import type { Signing } from '../../../libs/deliveries/signing/signatures.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { openCallbackKey } from '../../../libs/deliveries/signing/callback-key.js';
import { openWebhookSecrets } from '../../../libs/deliveries/signing/webhook-secrets.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Egress } from '../../../libs/ports/egress.port.js';
import type { KeyVault } from '../../../libs/eventsourcing/ports/key-vault.port.js';

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
