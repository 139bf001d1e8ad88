import { Module, type DynamicModule } from '@nestjs/common';
import { ApplicationModule } from '../../../libs/application/application.module.js';
import type { Identities } from '../../../libs/application/identities.js';
import type { Revocations } from '../../../libs/application/sessions/revocations.js';
import { UNLIMITED_ATTEMPTS, type SignInAttempts } from '../../../libs/application/sessions/sign-in-attempts.js';
import type { CheckpointMaker } from '../../../libs/audit/checkpoints/checkpoint-maker.js';
import type { ProofKeys } from '../../../libs/audit/keys/proof-keys.js';
import * as tokens from '../../../libs/application/tokens.js';
import type { Ids } from '../../../libs/eventsourcing/ports/ids.port.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { Egress } from '../../../libs/ports/egress.port.js';
import type { EventStore } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { Aggregates } from '../../../libs/eventsourcing/aggregates.js';
import type { EventCodec } from '../../../libs/eventsourcing/event-codec.js';
import type { ReadObservedEvents, StreamKnowledge, Writers } from '../../../libs/eventsourcing/streams/stream-knowledge.js';
import { NO_FAULTS } from '../../../libs/eventsourcing/history.js';
import type { KeyVault, ServiceKeyList } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import type { Metrics } from '../../../libs/ports/metrics.port.js';
import type { PasswordHasher } from '../../../libs/ports/password-hasher.port.js';
import type { Blobs } from '../../../libs/ports/blobs.port.js';
import type { ImageProcessor } from '../../../libs/ports/image-processor.port.js';
import type { Advisor } from '../../../libs/ports/chat/advisor.port.js';
import type { Tokenizer } from '../../../libs/ports/chat/tokenizer.port.js';
import type { PaymentGateway } from '../../../libs/ports/payment-gateway.port.js';
import type { SigningKeys } from '../../../libs/ports/signing-keys.port.js';
import type { Tracing } from '../../../libs/eventsourcing/ports/tracing.port.js';
import type { WorkQueue } from '../../../libs/eventsourcing/ports/work-queue.port.js';
import { ObservedAggregates } from './observing/observed-commands.js';
import { observersOf } from './observing/observers.js';
import { observeAppends } from './observing/observed-appends.js';

/** The ports of the command and query handlers. */
export type StorePorts = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly keys: KeyVault & ServiceKeyList;
  readonly signingKeys: SigningKeys;
  readonly gateway: PaymentGateway;
  readonly passwords: PasswordHasher;
  readonly egress: Egress;
  readonly blobs: Blobs;
  readonly images: ImageProcessor;
  readonly tokenizer: Tokenizer;
  /** A language model that answers chats. Default: the built-in advisor answers them. */
  readonly advisor?: Advisor | undefined;
  readonly work: WorkQueue;
  readonly codec: EventCodec;
  readonly identities: Identities;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Makes checkpoints of the log. */
  readonly checkpoints: CheckpointMaker;
  /** The keys that sign and verify checkpoints. */
  readonly proofKeys: ProofKeys;
  /** Knows which tokens have ended before their expiry. */
  readonly revocations: Revocations;
  /** Limits sign-in attempts. Default: no limit, for a process without HTTP. */
  readonly attempts?: Pick<SignInAttempts, 'begin'>;
  /** Which processes write to the log. Default: only this process. */
  readonly writers?: Writers;
  /** Returns the events that this process has already read from a stream, whichever process appended them. Default: none. */
  readonly observedEvents?: ReadObservedEvents;
  /** What is known about streams besides their events, such as faults. Default: nothing. */
  readonly knowledge?: StreamKnowledge;
  /** Counts what this process does. Default: nothing is counted. */
  readonly metrics?: Metrics;
  /** Records what requests cause. Default: nothing is traced. */
  readonly tracing?: Tracing;
};

/** Provides the ports and the command and query buses to all modules, with or without HTTP. */
@Module({ imports: [ApplicationModule] })
export class StoreModule {
  /** Returns the module that provides these ports. The module is global, because handlers in every module inject the ports. */
  static on(ports: StorePorts): DynamicModule {
    const { metrics, tracing } = ports;
    const observers = metrics || tracing ? observersOf({ metrics, tracing }) : null;
    const store = observers ? observeAppends(ports.store, observers) : ports.store;
    const parts = [store, ports.codec, ports.writers, ports.observedEvents, ports.knowledge] as const;
    const providers = [
      { provide: tokens.EVENT_STORE, useValue: store },
      { provide: tokens.DOCUMENTS, useValue: ports.documents },
      { provide: tokens.KEY_VAULT, useValue: ports.keys },
      { provide: tokens.SERVICE_KEY_LIST, useValue: ports.keys },
      { provide: tokens.SIGNING_KEYS, useValue: ports.signingKeys },
      { provide: tokens.PAYMENT_GATEWAY, useValue: ports.gateway },
      { provide: tokens.PASSWORD_HASHER, useValue: ports.passwords },
      { provide: tokens.EGRESS, useValue: ports.egress },
      { provide: tokens.BLOBS, useValue: ports.blobs },
      { provide: tokens.IMAGE_PROCESSOR, useValue: ports.images },
      { provide: tokens.ADVISOR, useValue: ports.advisor ?? null },
      { provide: tokens.TOKENIZER, useValue: ports.tokenizer },
      { provide: tokens.WORK_QUEUE, useValue: ports.work },
      { provide: tokens.CODEC, useValue: ports.codec },
      { provide: tokens.IDENTITIES, useValue: ports.identities },
      { provide: tokens.IDS, useValue: ports.ids },
      { provide: tokens.CHECKPOINTS, useValue: ports.checkpoints },
      { provide: tokens.PROOF_KEYS, useValue: ports.proofKeys },
      { provide: tokens.REVOCATIONS, useValue: ports.revocations },
      { provide: tokens.SIGN_IN_ATTEMPTS, useValue: ports.attempts ?? UNLIMITED_ATTEMPTS },
      { provide: tokens.CLOCK, useValue: ports.clock },
      { provide: tokens.STREAM_FAULTS, useValue: ports.knowledge?.faults ?? NO_FAULTS },
      { provide: tokens.AGGREGATES, useValue: observers ? new ObservedAggregates(observers, ...parts) : new Aggregates(...parts) },
    ];
    return { module: StoreModule, global: true, providers, exports: providers };
  }
}
