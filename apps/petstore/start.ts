import type { Server } from 'node:http';
import type { INestApplication, INestApplicationContext } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ProcessSamples } from '../../libs/application/operations/process-samples.js';
import { auditStateOf, readAuditRecord } from '../../libs/audit/watch/audit-record.js';
import { isLoopback } from '../../libs/settings/address-values.js';
import type { Settings } from '../../libs/settings/settings.js';
import { projections } from '../../libs/projections/projections.js';
import { StaleReads } from '../api/http/consistency/stale-reads.js';
import { createApi } from '../api/api.js';
import type { ReadinessCheck } from '../api/health/readiness.js';
import type { PublicAddress } from '../api/http/public-address.js';
import type { GivenLinks } from '../api/sign-in/console-link-route.js';
import { PUBLIC_ADDRESS } from '../api/tokens.js';
import { createEmbeddedProfile } from '../worker/embedded-profile.js';
import type { Role } from '../worker/role-names.js';
import { startRoles, type RolePorts } from '../worker/roles.js';
import { openEmbeddedStore, type EmbeddedStoreOptions, type EmbeddedStore } from './composition/embedded/embedded.js';
import type { Log } from './logging/log.js';
import { cacheForASecond } from './running/cache-for.js';
import { measuredOrders } from './composition/metrics/measured-orders.js';
import { countByReader } from './composition/metrics/parked-streams.js';
import { countedIn, largestLag, openHeartbeat } from './composition/observing/open-heartbeat.js';
import { openObservers, openOrClose, type ProcessObservers } from './composition/observing/open-observers.js';
import { createRolePorts } from './composition/role-ports.js';
import { closeWithin, drainConnections } from './running/close-within.js';
import { pausedIn, warnOfPauses } from './running/pauses.js';
import { prepareFirstRequests } from './running/prepare-first-requests.js';
import { checkNames } from './in-process/check-names.js';
import { createFirstAdmin, type FirstAdminOptions } from './in-process/first-admin.js';
import { holdsOf, StoreModule } from './composition/store.module.js';
import { TOKEN_COMMAND, tokenCommandOn } from './terminal/installation.js';
import { explainListenError } from './errors/listen-error.js';
import { createConsoleLinks } from './composition/console-links.js';
import { createAdvisor } from './composition/advising/advisor.js';
import { acceptTokens } from './composition/outside-issuer.js';
import { signInAttemptsOf } from './composition/sign-in-attempts.js';

/** All roles except the relay, which publishes events to topics. An embedded store has no topics. */
const EMBEDDED_ROLES: ReadonlySet<Role> = new Set(['projections', 'consumers', 'deliveries', 'timers']);

/** An embedded service that accepts requests, and its store. */
export type RunningPetstore = {
  /** The address that the server listens on, `http://HOST:PORT`. */
  readonly url: string;
  /** The address of the metrics, or null if METRICS_PORT is not set. */
  readonly metricsUrl: string | null;
  readonly store: EmbeddedStore;
  /** Creates the first staff account if there is none. Returns the password if it was generated, otherwise null. */
  createFirstAdmin(options: FirstAdminOptions): Promise<string | null>;
  /** Creates a one-time link to the console, and returns its secret. Returns null if this process gives no links. */
  createLink(): string | null;
  /** Tells clients to leave, for a second. Only a process that gets a signal calls it, before `stop`. */
  drain(): Promise<void>;
  /** Finishes accepted requests and running work, and unlocks the folder. */
  stop(): Promise<void>;
};

type ServedStore = Omit<RunningPetstore, 'metricsUrl'>;
/** `linkUser` is the user for whom the process gives a one-time link (contract 43.11). Without it, the process gives none. */
type StartOptions = Partial<EmbeddedStoreOptions> & { readonly linkUser?: string };

type Observed = Pick<ProcessObservers, 'measure'>;

/** Opens the folder and starts the api and the worker in this process. */
export const start = async (settings: Settings, log: Log, options: StartOptions = {}): Promise<RunningPetstore> => {
  const observed = await openObservers(settings, log);
  const running = await openOrClose(observed, () => startStore(settings, log, { ...options, ...observed.observers }, observed));
  const stop = async (): Promise<void> => {
    try {
      await running.stop();
    } finally {
      await observed.close();
    }
  };
  return { ...running, metricsUrl: observed.url, stop };
};

const startStore = async (
  settings: Settings,
  log: Log,
  { linkUser, ...options }: StartOptions,
  observed: Observed,
): Promise<ServedStore> => {
  const store = await openEmbeddedStore({
    directory: settings.dataDir,
    log,
    egress: settings,
    signingKeyFile: settings.signingKeyFile,
    ...options,
  });
  await prepareFirstRequests(store.documents, log);
  warnOfPauses(store.decisions, log);
  try {
    const givenLinks = linkUser === undefined ? undefined : { user: linkUser, links: createConsoleLinks(store.clock) };
    return await serve(settings, log, store, { ...observed, givenLinks });
  } catch (error) {
    await store.close();
    throw error;
  }
};

/**
 * Returns the command that the landing page shows, or null if no command can create a token. Only this machine may read the name
 * of the folder: a response contains nothing internal (contract 4.7).
 */
const tokenCommandForPage = (settings: Settings): string | null => {
  const { host, publicUrl, trustedProxies, dataDir } = settings;
  // The keys are in the memory of this process.
  if (dataDir === ':memory:') return null;
  const isOnlyHere = isLoopback(host) && publicUrl === undefined && trustedProxies.length === 0;
  return isOnlyHere ? tokenCommandOn(settings) : TOKEN_COMMAND;
};

/**
 * Creates the HTTP interface of an embedded store. The interface does not listen yet. The caller closes `app` first, then
 * `accepted`.
 */
export const createEmbeddedApi = async (settings: Settings, log: Log, store: EmbeddedStore, givenLinks?: GivenLinks) => {
  const samples = new ProcessSamples(store.clock.now());
  const counted = countedIn(samples, store.metrics);
  const heartbeat = openHeartbeat({
    ...{ samples, log, clock: store.clock, ids: store.ids, documents: null },
    roles: ['api', ...EMBEDDED_ROLES],
    lag: async () => largestLag((await store.readModels.states()).map(({ behindSeconds }) => behindSeconds)),
    report: async () => ({ servers: {}, consumers: await store.messages.consumers() }),
  });
  const accepted = acceptTokens(store, settings, log, () => app.get<PublicAddress>(PUBLIC_ADDRESS).url);
  const advisor = await createAdvisor(settings, store, log);
  const stale = new StaleReads(store.decisions, projections, store.resuming);
  const app = await createApi({
    settings,
    module: StoreModule.on({
      ...store,
      documents: stale.documents(store.documents),
      attempts: signInAttemptsOf(settings, store),
      holds: holdsOf(settings),
      processes: heartbeat,
      advisor,
    }),
    tokens: accepted.tokens,
    health: [createReadinessCheck(store), ...accepted.health],
    logger: log,
    tokenCommand: tokenCommandForPage(settings),
    stale,
    givenLinks,
    ...store,
    metrics: counted,
  });
  await app.init();
  return { app, accepted, advisor, heartbeat, counted };
};

const serve = async (
  settings: Settings,
  log: Log,
  store: EmbeddedStore,
  { givenLinks, ...observed }: Observed & { readonly givenLinks: GivenLinks | undefined },
): Promise<ServedStore> => {
  const { app, accepted, advisor, heartbeat, counted } = await createEmbeddedApi(settings, log, store, givenLinks);
  measureStore(observed, store, app);
  const stopping = new AbortController();
  const closeOptions = { server: app.getHttpServer(), within: settings.stopWaitMilliseconds, clock: store.clock, log };
  const stopSteps = [() => heartbeat.stop(), () => closeWithin(closeOptions, () => app.close()), async () => accepted.close()];
  const stop = async (): Promise<void> => {
    stopping.abort();
    // Ends the calls to the language model, so the stop need not wait for them. The built-in advisor answers these chats.
    advisor?.stop();
    for (const step of stopSteps) await step();
  };
  try {
    await checkNames(app);
    await app.listen({ port: settings.port, host: settings.host });
    // Deliveries contain URLs of this service, so the roles start when the port is known.
    const roles = await startRoles(
      EMBEDDED_ROLES,
      { ...(await openRolePorts(settings, log, store, app)), metrics: counted },
      createEmbeddedProfile({ ...store, onError: logErrors(log) }),
    );
    stopSteps.push(() => roles.stop());
    const url = await app.getUrl();
    heartbeat.start();
    store.announce(url, app.get<PublicAddress>(PUBLIC_ADDRESS).url);
    // The history is checked in the background, because checking a long log would delay the start.
    const checked = store.checkHistory(stopping.signal).catch(logErrors(log));
    stopSteps.push(() => checked);
    return {
      url,
      store,
      createLink: () => givenLinks?.links.create() ?? null,
      createFirstAdmin: (credentials) => createFirstAdmin(app, credentials, log),
      drain: () => drainConnections(app.getHttpAdapter().getInstance(), settings.stopWaitMilliseconds),
      stop: () => stop().then(() => store.close()),
    };
  } catch (error) {
    await stop();
    throw explainListenError(error, { ...settings, setting: 'PORT' });
  }
};

const measureStore = (observed: Observed, store: EmbeddedStore, app: Pick<INestApplication<Server>, 'get' | 'getHttpServer'>): void =>
  observed.measure({
    ...store,
    head: async () => store.head(),
    readAudit: () => readAuditRecord(store.documents),
    hasRelay: false,
    parkedStreams: async () => countByReader(store.parkedStreams()),
    orders: measuredOrders(app.get(QueryBus)),
    server: app.getHttpServer(),
  });

const logErrors =
  (log: Log) =>
  (error: unknown): void =>
    log.error({ err: error }, 'background work failed; it will be retried');

const openRolePorts = (settings: Settings, log: Log, store: EmbeddedStore, app: Pick<INestApplicationContext, 'get'>): Promise<RolePorts> =>
  createRolePorts(store, {
    settings,
    log,
    bus: app.get(CommandBus),
    messages: store.messages,
    publicUrl: () => app.get<PublicAddress>(PUBLIC_ADDRESS).url,
    onError: logErrors(log),
  });

/**
 * Creates the readiness check: the service is ready while read models can be read. A full disk is reported,
 * but the service stays ready, because reads still succeed.
 */
const createReadinessCheck = ({ documents, whyNotWritable, messages, faults, clock, decisions }: EmbeddedStore): ReadinessCheck => {
  const problemNow = cacheForASecond(clock, whyNotWritable);
  const consumersNow = cacheForASecond(clock, () => messages.consumers());
  return {
    name: 'store',
    async check() {
      try {
        await documents.checkpoint('readiness');
        const audit = auditStateOf(await readAuditRecord(documents));
        const reason = await problemNow();
        const writability = { writable: reason === null, ...(reason !== null && { reason }) };
        const details = { ...writability, history: faults.state(), audit, consumers: await consumersNow(), ...pausedIn(decisions) };
        return { ready: true, details };
      } catch {
        return { ready: false, reason: 'the store cannot be read' };
      }
    },
  };
};
