import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import type { Command, ICommand, ICommandHandler, IQueryHandler, Query } from '@nestjs/cqrs';
import { createIds } from '../../libs/adapters/system/index.js';
import { simulatedGateway } from '../../libs/adapters/gateway/index.js';
import { ApplicationModule } from '../../libs/application/application.module.js';
import { COMMAND_PORTS_PROVIDER, CommandPorts } from '../../libs/application/command-ports.js';
import { COMMAND_HANDLERS } from '../../libs/application/commands.js';
import { createIdentities } from '../../libs/application/identities.js';
import { Revocations } from '../../libs/application/sessions/revocations.js';
import { prepareKeptDocuments } from '../../libs/application/state/kept-documents.js';
import { DOMAIN_EVENTS } from '../../libs/domain/events.js';
import type { Documents } from '../../libs/eventsourcing/ports/documents.port.js';
import type { EventCodec } from '../../libs/eventsourcing/event-codec.js';
import type { EventStore } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { KeyVault, ServiceKeyList } from '../../libs/eventsourcing/ports/key-vault.port.js';
import type { Messages } from '../../libs/eventsourcing/ports/messages.port.js';
import type { WorkQueue } from '../../libs/eventsourcing/ports/work-queue.port.js';
import type { ReadObservedEvents, Writers } from '../../libs/eventsourcing/streams/stream-knowledge.js';
import type { Blobs } from '../../libs/ports/blobs.port.js';
import type { Egress } from '../../libs/ports/egress.port.js';
import type { PaymentLedger } from '../../libs/ports/payment-ledger.port.js';
import { projections } from '../../libs/projections/projections.js';
import { createCodec } from '../../libs/runtime/codec/codec.js';
import { monotonic } from '../../libs/runtime/codec/monotonic-clock.js';
import { guardDocuments } from '../../libs/runtime/projecting/guarded-documents.js';
import { OperatorDecisions } from '../../libs/runtime/operating/operator-state.js';
import { readAllParkedStreams } from '../../libs/runtime/projecting/parked-streams.js';
import { recordFaults } from '../../libs/runtime/projecting/stream-faults.js';
import { notifyOnEnqueue } from '../../libs/runtime/work/dispatcher.js';
import type { Log } from '../../apps/petstore/logging/log.js';
import { openProof } from '../../apps/petstore/composition/proof.js';
import { createRolePorts } from '../../apps/petstore/composition/role-ports.js';
import { StoreModule } from '../../apps/petstore/composition/store.module.js';
import { createFaults, createKnowledge } from '../../apps/petstore/composition/stream-knowledge.js';
import type { RolePorts } from '../../apps/worker/roles.js';
import type { Process } from './process.js';
import type { Random } from './random.js';
import { images, passwords, signingKeys, tokenizer } from './stand-ins.js';
import type { Story } from './story.js';

/** Runs the commands and queries of the application without Nest. */
export type Bus = {
  execute<Result>(command: Command<Result>): Promise<Result>;
  ask<Result>(query: Query<Result>): Promise<Result>;
};

type Handler = Type<ICommandHandler & IQueryHandler>;

const handlersBy = (key: string, handlers: readonly object[]): ReadonlyMap<unknown, Handler> =>
  new Map(
    handlers.flatMap((handler) => {
      const message: unknown = Reflect.getMetadata(key, handler);
      return message ? [[message, handler as Handler] as const] : [];
    }),
  );

/** The handlers by the classes that they handle. Nest's decorators store these under the two keys. */
const COMMANDS = handlersBy('__commandHandler__', COMMAND_HANDLERS);
const QUERIES = handlersBy('__queryHandler__', Reflect.getMetadata('providers', ApplicationModule) as readonly object[]);

type Provided = { readonly provide: unknown; readonly useValue: unknown };

/** Creates the bus of a process. Handlers get their ports by the types of their parameters, as from Nest. */
const createBus = (module: ReturnType<typeof StoreModule.on>): Bus => {
  const injected = new Map((module.providers as unknown as readonly Provided[]).map(({ provide, useValue }) => [provide, useValue]));
  const { inject = [], useFactory } = COMMAND_PORTS_PROVIDER;
  injected.set(CommandPorts, useFactory(...inject.map((token) => injected.get(token))));
  const created = new Map<Handler, ICommandHandler & IQueryHandler>();
  const handlerOf = (handlers: ReadonlyMap<unknown, Handler>, message: object): ICommandHandler & IQueryHandler => {
    const handler = handlers.get(message.constructor);
    if (!handler) throw new Error(`nothing handles ${message.constructor.name}`);
    let instance = created.get(handler);
    if (!instance) {
      const types = (Reflect.getMetadata('design:paramtypes', handler) as readonly unknown[] | undefined) ?? [];
      created.set(handler, (instance = new handler(...types.map((type) => injected.get(type)))));
    }
    return instance;
  };
  return {
    execute: (command: ICommand) => handlerOf(COMMANDS, command).execute(command) as never,
    ask: (query) => handlerOf(QUERIES, query).execute(query) as never,
  };
};

/** Milliseconds for which an order or an application holds its pet. */
export const HOLD = 4_000;

/** Durations of the service in a run. They are short, so that a run ends soon. */
const SETTINGS = {
  webhookRetryDelays: [0, 500, 1_000, 2_000, 4_000, 8_000],
  orderHoldMilliseconds: HOLD,
  adoptionHoldMilliseconds: HOLD,
  securityLogRetentionMilliseconds: 30 * 86_400_000,
  checkpointEveryMilliseconds: 20_000,
  auditEveryMilliseconds: 86_400_000,
  deliveryRetentionMilliseconds: 7 * 86_400_000,
};

/** The adapters of one process, and what it needs beside them. */
export type ServiceParts = {
  readonly process: Process;
  readonly random: Random;
  readonly story: Story;
  readonly store: EventStore;
  /** The read models for queries, and for projections. */
  readonly documents: Documents;
  readonly keys: KeyVault & ServiceKeyList;
  readonly work: WorkQueue;
  readonly ledger: PaymentLedger;
  readonly egress: Egress;
  readonly blobs: Blobs;
  readonly messagesOn: (codec: EventCodec, log: Log) => Messages;
  readonly head: () => number | Promise<number>;
  readonly positions: RolePorts['positions'];
  readonly writers: Writers;
  readonly observedEvents?: ReadObservedEvents;
};

/** Opens the ports of a process as openEmbeddedStore and openDistributedStore do, on simulated adapters. */
export const openService = async ({ process, random, story, store, documents: stored, ...parts }: ServiceParts) => {
  const { keys, work, egress, blobs, writers, observedEvents, head, positions } = parts;
  const { clock } = process;
  const log = logOf(process, story);
  const randomBytes = (size: number): Uint8Array =>
    new Uint8Array(Uint32Array.from({ length: Math.ceil(size / 4) }, () => random.below(2 ** 32)).buffer, 0, size);
  const ids = createIds(clock, randomBytes);
  const eventClock = monotonic(clock);
  const decisions = new OperatorDecisions(stored);
  const checked = createCodec(DOMAIN_EVENTS, { keys, ids, clock: eventClock, skipped: decisions });
  const codec = recordFaults(checked, { record: (fault) => faults.record(fault) });
  const faults = createFaults(() => ({ projectionDocuments: stored, documents: stored }), projections, log);
  await faults.open();
  const documents = guardDocuments(
    stored,
    { of: (stream) => faults.of(stream), lookUp: (stream) => faults.lookUp(stream) },
    decisions,
    projections,
  );
  for (const { collection } of projections) await documents.prepare(collection);
  await prepareKeptDocuments(documents);
  await decisions.refresh();
  const revocations = new Revocations({ store, codec }, clock);
  await revocations.refresh();
  const fingerprintKey = await keys.serviceKey('card-fingerprint');
  const ports = {
    ...{
      store,
      documents,
      keys,
      codec,
      clock,
      ids,
      faults,
      revocations,
      passwords,
      signingKeys,
      egress,
      blobs,
      images,
      tokenizer,
      writers,
    },
    ...(await openProof({ store, codec: checked, clock, ids, storeId: 'simulated', keys }, undefined)),
    ...(observedEvents && { observedEvents }),
    gateway: simulatedGateway(parts.ledger, { clock, fingerprintKey, slowMilliseconds: 500, randomBytes }),
    identities: await createIdentities(keys, ids),
    work: notifyOnEnqueue(work),
    knowledge: await createKnowledge({ documents: stored, keys }, projections, faults, decisions),
    decisions,
    fills: { follow: async () => undefined, progress: async () => null, compare: async () => null, exchange: async () => false },
    readModels: { states: () => Promise.resolve([]), head: async () => head() },
    parked: { streams: () => readAllParkedStreams(stored), keys: () => Promise.resolve([]) },
    head,
    positions,
  };
  const bus = createBus(StoreModule.on(ports));
  const messages = parts.messagesOn(codec, log);
  const onError = (error: unknown): void => log.error({ err: error }, 'background work failed; it will be retried');
  const service = { settings: SETTINGS, log, bus: bus as never, messages, publicUrl: () => 'https://petstore.example', onError };
  const rolePorts = {
    ...(await createRolePorts(ports, service)),
    retrying: { delays: SETTINGS.webhookRetryDelays, random: () => random.number() },
  };
  return { ...bus, ports: rolePorts, eventClock, log, checked };
};

export type Service = Awaited<ReturnType<typeof openService>>;

/** Tells the log lines of a process. */
const logOf = (process: Process, story: Story): Log => {
  const line =
    (level: string) =>
    (fields: object, message: string): void =>
      story.add(
        process.name,
        `${level}: ${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? String(value) : value))}`,
      );
  return { info: () => undefined, warn: line('warning'), error: line('error'), debug: () => undefined } as unknown as Log;
};
