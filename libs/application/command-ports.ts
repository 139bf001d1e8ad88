import type { Abstract, FactoryProvider } from '@nestjs/common';
import { CheckpointMaker } from '../audit/checkpoints/checkpoint-maker.js';
import { ProofKeys } from '../audit/keys/proof-keys.js';
import { EventCodec } from '../eventsourcing/event-codec.js';
import { Aggregates } from '../eventsourcing/aggregates.js';
import { Clock } from '../eventsourcing/ports/clock.port.js';
import { Documents } from '../eventsourcing/ports/documents.port.js';
import { EventStore } from '../eventsourcing/ports/event-store.port.js';
import { Ids } from '../eventsourcing/ports/ids.port.js';
import { StreamFaultLookup } from '../eventsourcing/history.js';
import { KeyVault, ServiceKeyList } from '../eventsourcing/ports/key-vault.port.js';
import { Fills } from '../eventsourcing/ports/fills.port.js';
import { Parked } from '../eventsourcing/ports/parked.port.js';
import { WorkQueue } from '../eventsourcing/ports/work-queue.port.js';
import { Blobs } from '../ports/blobs.port.js';
import { ImageProcessor } from '../ports/image-processor.port.js';
import { PasswordHasher } from '../ports/password-hasher.port.js';
import { PaymentGateway } from '../ports/payment-gateway.port.js';
import { SigningKeys } from '../ports/signing-keys.port.js';
import { OperatorDecisions } from '../runtime/operating/operator-state.js';
import { Identities } from './identities.js';
import { Numbers } from './numbers/numbers.js';
import { Revocations } from './sessions/revocations.js';
import { WebhookSlots } from './webhooks/webhook-slots.js';

/** What the functions of the table of commands use (commands.ts). Each function names those that it needs. */
export abstract class CommandPorts {
  abstract readonly aggregates: Aggregates;
  abstract readonly store: EventStore;
  abstract readonly codec: EventCodec;
  abstract readonly identities: Identities;
  abstract readonly ids: Ids;
  abstract readonly clock: Clock;
  abstract readonly documents: Documents;
  abstract readonly keys: KeyVault;
  abstract readonly serviceKeys: ServiceKeyList;
  abstract readonly signingKeys: SigningKeys;
  abstract readonly proofKeys: ProofKeys;
  abstract readonly gateway: PaymentGateway;
  abstract readonly passwords: PasswordHasher;
  abstract readonly blobs: Blobs;
  abstract readonly images: ImageProcessor;
  abstract readonly work: WorkQueue;
  abstract readonly parked: Parked;
  abstract readonly fills: Fills;
  abstract readonly decisions: OperatorDecisions;
  abstract readonly faults: Pick<StreamFaultLookup, 'of'>;
  abstract readonly revocations: Revocations;
  abstract readonly checkpoints: CheckpointMaker;
  /** One instance for the process, because pets, orders and users share the reserved blocks. */
  abstract readonly numbers: Numbers;
  /** One instance for the process, because it orders the claims of a tenant. */
  abstract readonly slots: WebhookSlots;
}

/** The ports with these names. */
export type Ports<Name extends keyof CommandPorts> = Pick<CommandPorts, Name>;

const INJECTED = {
  aggregates: Aggregates,
  store: EventStore,
  codec: EventCodec,
  identities: Identities,
  ids: Ids,
  clock: Clock,
  documents: Documents,
  keys: KeyVault,
  serviceKeys: ServiceKeyList,
  signingKeys: SigningKeys,
  proofKeys: ProofKeys,
  gateway: PaymentGateway,
  passwords: PasswordHasher,
  blobs: Blobs,
  images: ImageProcessor,
  work: WorkQueue,
  parked: Parked,
  fills: Fills,
  decisions: OperatorDecisions,
  faults: StreamFaultLookup,
  revocations: Revocations,
  checkpoints: CheckpointMaker,
} satisfies { [Name in Exclude<keyof CommandPorts, 'numbers' | 'slots'>]: Abstract<CommandPorts[Name]> };

/** Collects the ports that a global module provides. */
export const COMMAND_PORTS_PROVIDER: FactoryProvider<CommandPorts> = {
  provide: CommandPorts,
  inject: Object.values(INJECTED),
  useFactory: (...injected: readonly unknown[]) => {
    const ports = Object.fromEntries(Object.keys(INJECTED).map((name, index) => [name, injected[index]])) as Omit<
      CommandPorts,
      'numbers' | 'slots'
    >;
    return { ...ports, numbers: new Numbers(ports.aggregates), slots: new WebhookSlots(ports) };
  },
};
