import type { FactoryProvider } from '@nestjs/common';
import type { CheckpointMaker } from '../audit/checkpoints/checkpoint-maker.js';
import type { ProofKeys } from '../audit/keys/proof-keys.js';
import type { EventCodec } from '../eventsourcing/event-codec.js';
import type { Aggregates } from '../eventsourcing/aggregates.js';
import type { Clock } from '../eventsourcing/ports/clock.port.js';
import type { Documents } from '../eventsourcing/ports/documents.port.js';
import type { EventStore } from '../eventsourcing/ports/event-store.port.js';
import type { Ids } from '../eventsourcing/ports/ids.port.js';
import type { KeyVault, ServiceKeyList } from '../eventsourcing/ports/key-vault.port.js';
import type { WorkQueue } from '../eventsourcing/ports/work-queue.port.js';
import type { Blobs } from '../ports/blobs.port.js';
import type { ImageProcessor } from '../ports/image-processor.port.js';
import type { PasswordHasher } from '../ports/password-hasher.port.js';
import type { PaymentGateway } from '../ports/payment-gateway.port.js';
import type { SigningKeys } from '../ports/signing-keys.port.js';
import type { Identities } from './identities.js';
import { Numbers } from './numbers/numbers.js';
import type { Revocations } from './sessions/revocations.js';
import * as tokens from './tokens.js';
import { WebhookSlots } from './webhooks/webhook-slots.js';

/** What the functions of the table of commands use (commands.ts). Each function names those that it needs. */
export type CommandPorts = {
  readonly aggregates: Aggregates;
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly identities: Identities;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly documents: Documents;
  readonly keys: KeyVault;
  readonly serviceKeys: ServiceKeyList;
  readonly signingKeys: SigningKeys;
  readonly proofKeys: ProofKeys;
  readonly gateway: PaymentGateway;
  readonly passwords: PasswordHasher;
  readonly blobs: Blobs;
  readonly images: ImageProcessor;
  readonly work: WorkQueue;
  readonly revocations: Revocations;
  readonly checkpoints: CheckpointMaker;
  /** One instance for the process, because pets, orders and users share the reserved blocks. */
  readonly numbers: Numbers;
  /** One instance for the process, because it orders the claims of a tenant. */
  readonly slots: WebhookSlots;
};

/** The ports with these names. */
export type Ports<Name extends keyof CommandPorts> = Pick<CommandPorts, Name>;

export const COMMAND_PORTS = Symbol('CommandPorts');

const TOKENS = {
  aggregates: tokens.AGGREGATES,
  store: tokens.EVENT_STORE,
  codec: tokens.CODEC,
  identities: tokens.IDENTITIES,
  ids: tokens.IDS,
  clock: tokens.CLOCK,
  documents: tokens.DOCUMENTS,
  keys: tokens.KEY_VAULT,
  serviceKeys: tokens.SERVICE_KEY_LIST,
  signingKeys: tokens.SIGNING_KEYS,
  proofKeys: tokens.PROOF_KEYS,
  gateway: tokens.PAYMENT_GATEWAY,
  passwords: tokens.PASSWORD_HASHER,
  blobs: tokens.BLOBS,
  images: tokens.IMAGE_PROCESSOR,
  work: tokens.WORK_QUEUE,
  revocations: tokens.REVOCATIONS,
  checkpoints: tokens.CHECKPOINTS,
} satisfies Record<Exclude<keyof CommandPorts, 'numbers' | 'slots'>, symbol>;

/** Collects the ports that a global module provides. */
export const COMMAND_PORTS_PROVIDER: FactoryProvider<CommandPorts> = {
  provide: COMMAND_PORTS,
  inject: Object.values(TOKENS),
  useFactory: (...injected: readonly unknown[]) => {
    const ports = Object.fromEntries(Object.keys(TOKENS).map((name, index) => [name, injected[index]])) as Omit<
      CommandPorts,
      'numbers' | 'slots'
    >;
    return { ...ports, numbers: new Numbers(ports.aggregates), slots: new WebhookSlots(ports) };
  },
};
