import type { CommandBus } from '@nestjs/cqrs';
import { standardSigner } from '../../../libs/adapters/signing/index.js';
import { randomness } from '../../../libs/adapters/system/index.js';
import { remedyOf } from '../../../libs/audit/verify/audit-fault.js';
import { executeWith } from '../../../libs/application/commands.js';
import { RecordSecurityEvent } from '../../../libs/application/security/security.commands.js';
import { openCallbackKey, openWebhookSecrets, type SigningKeys } from '../../../libs/deliveries/signing.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import type { KeyVault } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import type { Messages } from '../../../libs/eventsourcing/ports/messages.port.js';
import type { Settings } from '../../../libs/settings/settings.js';
import type { RolePorts } from '../../worker/roles.js';
import { logDisabledEndpoint, type Log } from '../logging/log.js';
import type { StorePorts } from './store.module.js';

/** Ports of a process, besides those of its store. */
type Service = {
  readonly settings: Pick<
    Settings,
    | 'webhookRetryDelays'
    | 'orderHoldMilliseconds'
    | 'adoptionHoldMilliseconds'
    | 'securityLogRetentionMilliseconds'
    | 'checkpointEveryMilliseconds'
    | 'auditEveryMilliseconds'
    | 'deliveryRetentionMilliseconds'
  >;
  readonly log: Log;
  readonly bus: CommandBus;
  readonly messages: Messages;
  /** Returns the prefix of every absolute URL in responses and deliveries. */
  readonly publicUrl: () => string;
  readonly onError: (error: unknown) => void;
};

/** Creates the ports of the background roles from those of the store and of the process. */
export const createRolePorts = async <Store extends StorePorts & Pick<RolePorts, 'work' | 'faults' | 'head' | 'positions'>>(
  store: Store,
  { settings, log, bus, ...service }: Service,
): Promise<Store & RolePorts> => ({
  ...store,
  ...service,
  execute: executeWith(bus),
  signing: await openSigning(store.keys),
  retrying: { delays: settings.webhookRetryDelays, random: randomness },
  onDisabled: logDisabledEndpoint(log),
  orderHoldMilliseconds: settings.orderHoldMilliseconds,
  adoptionHoldMilliseconds: settings.adoptionHoldMilliseconds,
  securityLogRetentionMilliseconds: settings.securityLogRetentionMilliseconds,
  checkpointEveryMilliseconds: settings.checkpointEveryMilliseconds,
  onCheckpoint: (signed) => log.info(signed, 'checkpoint'),
  ...auditPorts(store, settings, log, bus),
  deliveryRetentionMilliseconds: settings.deliveryRetentionMilliseconds,
  onDeliveriesDeleted: (deliveries) =>
    log.info({ deliveries }, 'deleted the deliveries that were delivered longer ago than DELIVERY_RETENTION'),
});

const auditPorts = (
  { ids }: Pick<StorePorts, 'ids'>,
  { auditEveryMilliseconds }: Service['settings'],
  log: Log,
  bus: CommandBus,
): Pick<RolePorts, 'auditEveryMilliseconds' | 'onAuditFault' | 'recordAlteration'> => ({
  auditEveryMilliseconds,
  onAuditFault: (fault) => log.error({ ...fault, remedy: remedyOf(fault) }, 'an audit of the log has found a fault'),
  /** Records that an audit found faults (contract 35.9). No request caused the audit, so the event has no IP address. */
  async recordAlteration({ stream, revision, range }, count) {
    const target = stream === undefined ? `events ${range?.from} to ${range?.to}` : `${stream}, revision ${revision}`;
    const data = { kind: 'log-altered', operation: 'audit', actor: 'service', address: '', target, count } as const;
    await bus.execute(new RecordSecurityEvent(data, { tenant: SHARED_POOL, requestId: ids.next() }));
  },
});

/** Opens the keys that sign deliveries. Every process has the same keys, because they are derived from keys in the store. */
const openSigning = async (keys: KeyVault): Promise<SigningKeys> => ({
  signer: standardSigner,
  secrets: await openWebhookSecrets(keys),
  callbackKey: await openCallbackKey(keys),
});
