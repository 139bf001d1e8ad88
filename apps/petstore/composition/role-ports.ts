import type { CommandBus } from '@nestjs/cqrs';
import { standardSigner } from '../../../libs/adapters/signing/index.js';
import { randomness } from '../../../libs/adapters/system/index.js';
import { performWith } from '../../../libs/application/perform.js';
import { openCallbackKey } from '../../../libs/deliveries/signing/callback-key.js';
import type { SigningKeys } from '../../../libs/deliveries/signing/signatures.js';
import { openWebhookSecrets } from '../../../libs/deliveries/signing/webhook-secrets.js';
import type { KeyVault } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import type { Messages } from '../../../libs/eventsourcing/ports/messages.port.js';
import type { Settings } from '../../../libs/settings/settings.js';
import type { RolePorts } from '../../worker/roles.js';
import { logDisabledEndpoint, type Log } from '../logging/log.js';
import type { StorePorts } from './store.module.js';

/** Ports of a process, besides those of its store. */
type Service = {
  readonly settings: Pick<Settings, 'webhookRetryDelays' | 'orderHoldMilliseconds'>;
  readonly log: Log;
  readonly bus: CommandBus;
  readonly messages: Messages;
  /** Returns the prefix of every absolute URL in responses and deliveries. */
  readonly publicUrl: () => string;
  readonly onError: (error: unknown) => void;
};

/** Creates the ports of the background roles. */
export const createRolePorts = async <Store extends StorePorts & Pick<RolePorts, 'work'>>(
  store: Store,
  { settings, log, bus, ...service }: Service,
): Promise<Store & RolePorts> => ({
  ...store,
  ...service,
  perform: performWith(bus),
  signing: await openSigning(store.keys),
  retrying: { delays: settings.webhookRetryDelays, random: randomness },
  onDisabled: logDisabledEndpoint(log),
  orderHoldMilliseconds: settings.orderHoldMilliseconds,
});

/** Opens the signing keys. They derive from the service keys, so every process has the same. */
const openSigning = async (keys: KeyVault): Promise<SigningKeys> => ({
  signer: standardSigner,
  secrets: await openWebhookSecrets(keys),
  callbackKey: await openCallbackKey(keys),
});
