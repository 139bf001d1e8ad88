import { Module, type DynamicModule } from '@nestjs/common';
import { ApplicationModule } from '../../../libs/application/application.module.js';
import { Identities } from '../../../libs/application/identities.js';
import { Revocations } from '../../../libs/application/sessions/revocations.js';
import { UNLIMITED_ATTEMPTS, SignInAttempts } from '../../../libs/application/sessions/sign-in-attempts.js';
import { OperatorDecisions } from '../../../libs/runtime/operating/operator-state.js';
import { CheckpointMaker } from '../../../libs/audit/checkpoints/checkpoint-maker.js';
import { ProofKeys } from '../../../libs/audit/keys/proof-keys.js';
import { Ids } from '../../../libs/eventsourcing/ports/ids.port.js';
import { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import { Egress } from '../../../libs/ports/egress.port.js';
import { EventStore } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { Aggregates } from '../../../libs/eventsourcing/aggregates.js';
import { EventCodec } from '../../../libs/eventsourcing/event-codec.js';
import type { ReadObservedEvents, StreamKnowledge, Writers } from '../../../libs/eventsourcing/streams/stream-knowledge.js';
import { NO_FAULTS, StreamFaultLookup } from '../../../libs/eventsourcing/history.js';
import { ReadModels } from '../../../libs/eventsourcing/ports/read-models.port.js';
import { NO_PROCESSES, Processes } from '../../../libs/application/operations/processes.js';
import { Holds } from '../../../libs/application/operations/stuck.js';
import { Fills } from '../../../libs/eventsourcing/ports/fills.port.js';
import { Parked } from '../../../libs/eventsourcing/ports/parked.port.js';
import { KeyVault, ServiceKeyList } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import type { Metrics } from '../../../libs/ports/metrics.port.js';
import { PasswordHasher } from '../../../libs/ports/password-hasher.port.js';
import { Blobs } from '../../../libs/ports/blobs.port.js';
import { ImageProcessor } from '../../../libs/ports/image-processor.port.js';
import { Advisor } from '../../../libs/ports/chat/advisor.port.js';
import { Tokenizer } from '../../../libs/ports/chat/tokenizer.port.js';
import { PaymentGateway } from '../../../libs/ports/payment-gateway.port.js';
import { SigningKeys } from '../../../libs/ports/signing-keys.port.js';
import type { Tracing } from '../../../libs/eventsourcing/ports/tracing.port.js';
import { WorkQueue } from '../../../libs/eventsourcing/ports/work-queue.port.js';
import { DEFAULTS, type Settings } from '../../../libs/settings/settings.js';
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
  readonly parked: Parked;
  readonly fills: Fills;
  /** How long pets are held. Default: those of a service without settings. */
  readonly holds?: Holds;
  readonly readModels: ReadModels;
  /** The processes of the service. Default: none, for a process that only runs a command. */
  readonly processes?: Processes;
  /** What operators have decided. */
  readonly decisions: OperatorDecisions;
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

/** Returns how long pets are held. */
export const holdsOf = ({
  orderHoldMilliseconds,
  adoptionHoldMilliseconds,
}: Pick<Settings, 'orderHoldMilliseconds' | 'adoptionHoldMilliseconds'>): Holds => ({
  order: orderHoldMilliseconds,
  adoption: adoptionHoldMilliseconds,
});

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
      { provide: EventStore, useValue: store },
      { provide: Documents, useValue: ports.documents },
      { provide: KeyVault, useValue: ports.keys },
      { provide: ServiceKeyList, useValue: ports.keys },
      { provide: SigningKeys, useValue: ports.signingKeys },
      { provide: PaymentGateway, useValue: ports.gateway },
      { provide: PasswordHasher, useValue: ports.passwords },
      { provide: Egress, useValue: ports.egress },
      { provide: Blobs, useValue: ports.blobs },
      { provide: ImageProcessor, useValue: ports.images },
      { provide: Advisor, useValue: ports.advisor ?? null },
      { provide: Tokenizer, useValue: ports.tokenizer },
      { provide: WorkQueue, useValue: ports.work },
      { provide: Parked, useValue: ports.parked },
      { provide: Fills, useValue: ports.fills },
      { provide: Holds, useValue: ports.holds ?? holdsOf(DEFAULTS) },
      { provide: ReadModels, useValue: ports.readModels },
      { provide: Processes, useValue: ports.processes ?? NO_PROCESSES },
      { provide: OperatorDecisions, useValue: ports.decisions },
      { provide: EventCodec, useValue: ports.codec },
      { provide: Identities, useValue: ports.identities },
      { provide: Ids, useValue: ports.ids },
      { provide: CheckpointMaker, useValue: ports.checkpoints },
      { provide: ProofKeys, useValue: ports.proofKeys },
      { provide: Revocations, useValue: ports.revocations },
      { provide: SignInAttempts, useValue: ports.attempts ?? UNLIMITED_ATTEMPTS },
      { provide: Clock, useValue: ports.clock },
      { provide: StreamFaultLookup, useValue: ports.knowledge?.faults ?? NO_FAULTS },
      { provide: Aggregates, useValue: observers ? new ObservedAggregates(observers, ...parts) : new Aggregates(...parts) },
    ];
    return { module: StoreModule, global: true, providers, exports: providers };
  }
}
