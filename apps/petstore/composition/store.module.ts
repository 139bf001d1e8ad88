import { Module, type DynamicModule } from '@nestjs/common';
import { ApplicationModule } from '../../../libs/application/application.module.js';
import type { Identities } from '../../../libs/application/identities.js';
import * as tokens from '../../../libs/application/tokens.js';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import type { Egress } from '../../../libs/ports/egress.port.js';
import type { EventStore } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { Aggregates, type EventCodec } from '../../../libs/eventsourcing/handle.js';
import type { ReadObservedEvents, StreamKnowledge, Writers } from '../../../libs/eventsourcing/stream-knowledge.js';
import { NO_FAULTS } from '../../../libs/eventsourcing/history.js';
import type { KeyVault } from '../../../libs/eventsourcing/ports/key-vault.port.js';
import type { PasswordHasher } from '../../../libs/ports/password-hasher.port.js';
import type { PaymentGateway } from '../../../libs/ports/payment-gateway.port.js';
import type { WorkQueue } from '../../../libs/eventsourcing/ports/work-queue.port.js';

/** The ports of the command and query handlers. */
export type StorePorts = {
  readonly store: EventStore;
  readonly documents: Documents;
  readonly keys: KeyVault;
  readonly gateway: PaymentGateway;
  readonly passwords: PasswordHasher;
  readonly egress: Egress;
  readonly work: WorkQueue;
  readonly codec: EventCodec;
  readonly identities: Identities;
  readonly clock: Clock;
  /** Whether other processes also write to the log. By default they do not. */
  readonly writers?: Writers;
  /** The events of other processes that this process has observed. Default: none. */
  readonly heard?: ReadObservedEvents;
  /** What is known about streams besides their events, such as faults. Default: nothing. */
  readonly knowledge?: StreamKnowledge;
};

/** Provides the ports and the command and query buses to all modules, with or without HTTP. */
@Module({ imports: [ApplicationModule] })
export class StoreModule {
  /** Returns the module with open ports. It is global, because the handlers of every module inject them. */
  static on(ports: StorePorts): DynamicModule {
    const providers = [
      { provide: tokens.EVENT_STORE, useValue: ports.store },
      { provide: tokens.DOCUMENTS, useValue: ports.documents },
      { provide: tokens.KEY_VAULT, useValue: ports.keys },
      { provide: tokens.PAYMENT_GATEWAY, useValue: ports.gateway },
      { provide: tokens.PASSWORD_HASHER, useValue: ports.passwords },
      { provide: tokens.EGRESS, useValue: ports.egress },
      { provide: tokens.WORK_QUEUE, useValue: ports.work },
      { provide: tokens.CODEC, useValue: ports.codec },
      { provide: tokens.IDENTITIES, useValue: ports.identities },
      { provide: tokens.CLOCK, useValue: ports.clock },
      { provide: tokens.STREAM_FAULTS, useValue: ports.knowledge?.faults ?? NO_FAULTS },
      { provide: tokens.AGGREGATES, useValue: new Aggregates(ports.store, ports.codec, ports.writers, ports.heard, ports.knowledge) },
    ];
    return { module: StoreModule, global: true, providers, exports: providers };
  }
}
