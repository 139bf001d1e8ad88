import { NestFactory } from '@nestjs/core';
import { CommandBus } from '@nestjs/cqrs';
import { HEARTBEATS, type Heartbeat, type ProcessReport } from '../../../libs/application/operations/processes.js';
import { ProcessSamples } from '../../../libs/application/operations/process-samples.js';
import { notifyOnEnqueue } from '../../../libs/runtime/work/dispatcher.js';
import { prepareKeptDocuments } from '../../../libs/application/state/kept-documents.js';
import { createProjector } from '../../../libs/runtime/projecting/projector.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { shareTail } from '../../../libs/runtime/following/shared-tail.js';
import type { ParkedStream, Projector } from '../../../libs/eventsourcing/projection.js';
import { projections } from '../../../libs/projections/projections.js';
import { RELAY } from '../../../libs/runtime/relay/relay.js';
import { nestLogger } from '../../api/http/nest/logging.js';
import { createPublicAddress } from '../../api/http/public-address.js';
import { serveHealth, type Health } from '../../worker/health.js';
import { ROLES, type Role } from '../../worker/role-names.js';
import { createDistributedProfile, type DistributedProfilePorts } from '../../worker/distributed-profile.js';
import { CONSUMERS, startRoles, type RolePorts, type RunningRoles } from '../../worker/roles.js';
import { CommandError } from '../errors/command-error.js';
import { requireServers } from '../composition/distributed/open-servers.js';
import { openServedStore, type DistributedStore } from '../composition/distributed/distributed.js';
import { measuredServers } from '../composition/metrics/measured-servers.js';
import { countedIn, largestLag, openHeartbeat } from '../composition/observing/open-heartbeat.js';
import { openObservers, openOrClose, type ProcessObservers } from '../composition/observing/open-observers.js';
import { pausedIn, warnOfPauses } from '../running/pauses.js';
import { withTimeout } from '../running/with-timeout.js';
import { pollDecisions } from '../composition/distributed/watching/polls.js';
import { TopicWatch } from '../composition/distributed/watching/topic-watch.js';
import { describeDown, ServerWatch } from '../composition/distributed/watching/server-watch.js';
import { measureLag } from '../composition/distributed/watching/lag.js';
import { createLog, type Log } from '../logging/log.js';
import { cacheForASecond } from '../running/cache-for.js';
import { createRolePorts } from '../composition/role-ports.js';
import { runUntilSignal } from '../running/run-until-signal.js';
import { closeWithin } from '../running/close-within.js';
import { StoreModule } from '../composition/store.module.js';
import { explainListenError } from '../errors/listen-error.js';

/** Parses a list of roles, such as `projections,relay`. Throws CommandError if a role is unknown. */
export const parseRoles = (text: string): ReadonlySet<Role> => {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !ROLES.some((role) => role === name));
  if (unknown.length > 0)
    throw new CommandError(
      `--roles: unknown role ${unknown.map((name) => JSON.stringify(name)).join(', ')}; known roles: ${ROLES.join(', ')}`,
    );
  return new Set(names as Role[]);
};

/** Runs background roles in the distributed profile until SIGINT or SIGTERM. */
export const workerCommand = async (configured: Settings, roles: ReadonlySet<Role>): Promise<void> => {
  const settings = requireServers(configured);
  const log = createLog(settings.logLevel);
  const observed = await openObservers(settings, log);
  const worker = await openOrClose(observed, () => openWorker(settings, log, observed));
  const { clock, owner: holder } = worker.store;
  let running: RunningRoles | null = null;
  // The health port is opened before the roles start, so that a worker whose port is in use takes no lease. An
  // orchestrator may send a signal as soon as the port is open. So after `serveWorkerHealth`, nothing is awaited before
  // `runUntilSignal` handles signals.
  const watches = createWatches(settings, worker, roles, log);
  const { topicWatch, serverWatch } = watches;
  const health = await serveWorkerHealth(settings, { ...worker, ...watches }, roles, () => running);
  serverWatch.start();
  const heartbeat = openWorkerHeartbeat(worker, serverWatch, roles, log);
  heartbeat.start();
  const starting = startRoles(roles, worker.ports, createDistributedProfile(worker.ports));
  const checked = usesTopics(roles) ? topicWatch.start() : Promise.resolve();
  const stop = async (): Promise<void> => {
    await closeWithin({ server: health.server, within: settings.stopWaitMilliseconds, clock, log }, () => health.stop());
    // Roles can stop only after they have started. While Kafka is down, they start slowly.
    await (await starting.catch(() => null))?.stop();
    await checked.catch(() => undefined);
    await Promise.all([topicWatch.stop(), serverWatch.stop(), heartbeat.stop()]);
    await worker.close();
  };
  runUntilSignal({ stop }, log);
  try {
    [running] = await Promise.all([starting, checked]);
  } catch (error) {
    await stop();
    throw error;
  }
  log.info({ roles: [...roles], health: health.url, holder }, 'the worker has started');
  process.stdout.write(`Petstore's worker runs ${[...roles].join(', ')}; its health is at ${health.url}/health/ready\n`);
};

/** A worker before its roles start. */
type OpenWorker = {
  readonly store: DistributedStore;
  readonly messages: ReturnType<DistributedStore['openMessages']>;
  readonly ports: RolePorts & DistributedProfilePorts;
  readonly samples: ProcessSamples;
  readonly close: () => Promise<void>;
};

/** Only these roles use the topics. The others need not reach Kafka. */
const usesTopics = (roles: ReadonlySet<Role>): boolean => roles.has('relay') || roles.has('consumers');

type Watches = { readonly topicWatch: TopicWatch; readonly serverWatch: ServerWatch };

/** Creates the watches of this worker, which are not started yet. */
const createWatches = (settings: Settings, { store, messages }: OpenWorker, roles: ReadonlySet<Role>, log: Log): Watches => {
  const { database, clock } = store;
  const servers = {
    eventstore: { ping: () => store.store.ready(), waiting: 'read models, publishing, payments and timers wait' },
    mongodb: { ping: () => database.ping(), waiting: 'all work of this worker waits' },
    ...(usesTopics(roles) && { kafka: { ping: () => messages.ping(), waiting: 'publishing, charges, approvals and webhooks wait' } }),
  };
  return {
    topicWatch: new TopicWatch({ ...store, isProduction: settings.nodeEnv === 'production', log }),
    serverWatch: new ServerWatch({ servers, clock, log }),
  };
};

const openWorker = async (settings: ReturnType<typeof requireServers>, log: Log, observed: ProcessObservers): Promise<OpenWorker> => {
  const opened = await openServedStore(settings, log, observed.observers);
  const { database } = opened;
  const store = shareTail(opened.store);
  const messages = opened.openMessages();
  const module = StoreModule.on({ ...opened, store, observedEvents: store.observedEvents });
  const app = await NestFactory.createApplicationContext(module, { logger: nestLogger(log) });
  const publicAddress = createPublicAddress(settings);
  // The roles start together. Without this, a role of the first start could read a read model that no role has prepared yet.
  for (const { collection } of projections) await opened.documents.prepare(collection);
  await prepareKeptDocuments(opened.documents);
  await opened.documents.prepare(HEARTBEATS);
  const stopPolling = await pollDecisions(opened.decisions, opened.clock, log);
  warnOfPauses(opened.decisions, log);
  const head = (): Promise<number> => opened.store.lastPosition();
  const samples = new ProcessSamples(opened.clock.now());
  const onError = (error: unknown): void => log.warn({ err: error }, 'background work failed; it will be retried');
  const service = { settings, log, bus: app.get(CommandBus), messages, publicUrl: () => publicAddress.url, onError };
  const ports = {
    ...(await createRolePorts({ ...opened, store, head, positions: 'with gaps', work: notifyOnEnqueue(opened.work) }, service)),
    metrics: countedIn(samples, opened.metrics),
    projectionDocuments: database.projectionDocuments,
    leases: database.leases,
    projectors: projections.map((projection) => createProjector(projection)),
    head,
    consumerStates: () => messages.statesOf(CONSUMERS),
    onCaughtUp: ({ collection }: Projector) => database.putInService(collection),
    onParked: (projection: string, { reason, ...where }: ParkedStream): void =>
      log.error({ projection, ...where, reason }, 'a projection failed on an event; its stream is parked'),
  };
  observed.measure({ ...measuredServers(opened), messages });
  const close = async (): Promise<void> => {
    await stopPolling();
    await messages.close();
    await app.close();
    await opened.close();
    await observed.close();
  };
  return { store: opened, messages, ports, samples, close };
};

type Consumers = NonNullable<ProcessReport['consumers']>;

/** Creates the heartbeat of the worker. Only workers know the lags of the readers of the log, and those with consumers their states. */
const openWorkerHeartbeat = (
  { store, messages, ports, samples }: OpenWorker,
  serverWatch: ServerWatch,
  roles: ReadonlySet<Role>,
  log: Log,
): Heartbeat => {
  const readLags = cacheForASecond(store.clock, () => measureLag({ ...store, projections, head: ports.head }));
  const readRelay = async (): Promise<Consumers> => {
    const [{ behind }, parked] = await Promise.all([readLags(), store.parked.streams()]);
    const own = parked.filter(({ projection }) => projection === RELAY);
    return { [RELAY]: { behind: behind[RELAY] ?? null, parked: own.length } };
  };
  const readConsumers = async (): Promise<Consumers | null> => {
    const found = [...(roles.has('consumers') ? [messages.consumers()] : []), ...(roles.has('relay') ? [readRelay()] : [])];
    if (found.length === 0) return null;
    return withTimeout(Promise.all(found), store.clock).then(
      (parts) => Object.assign({}, ...parts) as Consumers,
      () => null,
    );
  };
  return openHeartbeat({
    ...{ samples, log, clock: store.clock, ids: store.ids, documents: store.documents },
    roles: [...roles],
    lag: async () => largestLag(Object.values((await readLags()).behindSeconds)),
    report: async () => ({ servers: await serverWatch.states(), consumers: await readConsumers() }),
  });
};

/** Serves the health checks of the worker. If the port cannot be used, closes the worker and throws. */
const serveWorkerHealth = async (
  settings: Settings,
  { store, topicWatch, serverWatch, ports, close }: OpenWorker & Watches,
  roles: ReadonlySet<Role>,
  running: () => RunningRoles | null,
): Promise<Health> => {
  const { clock, faults, logWatch } = store;
  const { head, messages } = ports;
  // The worker is ready without Kafka: the state of its consumers is then null. Without the database it is not ready.
  const readConsumers = () => withTimeout(messages.consumers(), clock).catch(() => null);
  const readServers = cacheForASecond(clock, () =>
    Promise.all([measureLag({ ...store, projections, head }), readConsumers(), serverWatch.states()]),
  );
  const state = async () => {
    // Null until the roles have started.
    const positions = running()?.positions();
    if (!positions) return null;
    const [lags, consumers, servers] = await readServers();
    const down = describeDown(servers);
    if (servers['mongodb']?.status === 'down') return { reason: `the worker needs MongoDB: ${down}`, servers };
    const progress = {
      roles: [...roles],
      owns: Object.keys(positions),
      history: faults.state(),
      ...lags,
      consumers,
      ...pausedIn(store.decisions),
    };
    return { ...(down !== '' && { status: 'degraded' }), servers, ...progress, warnings: topicWatch.warnings() };
  };
  const address = { host: settings.host, port: settings.workerPort };
  try {
    const blockedReason = () => logWatch.missingEvents() ?? topicWatch.blockedReason() ?? running()?.blockedReason() ?? null;
    return await serveHealth({ ...address, state, blockedReason });
  } catch (error) {
    await close();
    throw explainListenError(error, { ...address, setting: 'WORKER_PORT' });
  }
};
