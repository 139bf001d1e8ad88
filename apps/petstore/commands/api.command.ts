import { QueryBus } from '@nestjs/cqrs';
import { HEARTBEATS } from '../../../libs/application/operations/processes.js';
import { ProcessSamples } from '../../../libs/application/operations/process-samples.js';
import { auditStateOf, readAuditRecord } from '../../../libs/audit/watch/audit-record.js';
import { prepareKeptDocuments } from '../../../libs/application/state/kept-documents.js';
import { LOCAL_ISSUER } from '../../../libs/ports/access-token.port.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { projections } from '../../../libs/projections/projections.js';
import { createApi } from '../../api/api.js';
import type { ReadinessCheck } from '../../api/health/readiness.js';
import { createConsistency } from '../../api/http/consistency/consistency.js';
import { requireServers } from '../composition/distributed/open-servers.js';
import { openServedStore, type DistributedStore } from '../composition/distributed/distributed.js';
import { measuredOrders } from '../composition/metrics/measured-orders.js';
import { measuredServers } from '../composition/metrics/measured-servers.js';
import { countedIn, openHeartbeat } from '../composition/observing/open-heartbeat.js';
import { openObservers, openOrClose } from '../composition/observing/open-observers.js';
import { checkNames } from '../in-process/check-names.js';
import { createFirstAdmin } from '../in-process/first-admin.js';
import { pausedIn } from '../running/pauses.js';
import { withTimeout } from '../running/with-timeout.js';
import { describeDown, ServerWatch } from '../composition/distributed/watching/server-watch.js';
import { measureLag } from '../composition/distributed/watching/lag.js';
import { createLog, type Log } from '../logging/log.js';
import { cacheForASecond } from '../running/cache-for.js';
import { formatAddress } from '../terminal/banner.js';
import { PROGRAM_NAME, TOKEN_COMMAND } from '../terminal/installation.js';
import { runUntilSignal } from '../running/run-until-signal.js';
import { closeWithin, drainConnections } from '../running/close-within.js';
import { prepareFirstRequests } from '../running/prepare-first-requests.js';
import { holdsOf, StoreModule } from '../composition/store.module.js';
import { explainListenError } from '../errors/listen-error.js';
import { pollDecisions, pollRevocations, pollSigningKeys } from '../composition/distributed/watching/polls.js';
import { createAdvisor } from '../composition/advising/advisor.js';
import { acceptTokens } from '../composition/outside-issuer.js';
import { signInAttemptsOf } from '../composition/sign-in-attempts.js';

/** Serves the HTTP interface in the distributed profile until SIGINT or SIGTERM. */
export const apiCommand = async (configured: Settings): Promise<void> => {
  const settings = requireServers(configured);
  const log = createLog(settings.logLevel);
  const observed = await openObservers(settings, log);
  const opened = await openOrClose(observed, () => openServedStore(settings, log, observed.observers));
  const { app, accepted, advisor, serverWatch, heartbeat } = await createDistributedApi(settings, log, opened);
  await prepareFirstRequests(opened.documents, log);
  const orders = measuredOrders(app.get(QueryBus));
  observed.measure({ ...measuredServers(opened), orders, server: app.getHttpServer() });
  serverWatch.start();
  const polls = [
    pollSigningKeys(opened.signingKeys, opened.clock, log),
    await pollRevocations(opened.revocations, opened.clock, log),
    await pollDecisions(opened.decisions, opened.clock, log),
    () => serverWatch.stop(),
    () => heartbeat.stop(),
  ];
  const stop = async (): Promise<void> => {
    const server = app.getHttpServer();
    // Ends the calls to the language model, so the stop need not wait for them. The built-in advisor answers these chats.
    advisor?.stop();
    const polled = Promise.all(polls.map((stopPolling) => stopPolling()));
    await closeWithin({ server, within: settings.stopWaitMilliseconds, clock: opened.clock, log }, () => app.close());
    await polled;
    accepted.close();
    await opened.close();
    await observed.close();
  };
  try {
    await checkNames(app);
    await app.listen({ port: settings.port, host: settings.host });
    heartbeat.start();
  } catch (error) {
    await stop();
    throw explainListenError(error, { ...settings, setting: 'PORT' });
  }
  await createFirstAdmin(app, { password: settings.adminPassword, isOnTerminal: false, program: PROGRAM_NAME }, log);
  // Another program may send a signal as soon as it reads the output, so the signal handler must exist before the output.
  runUntilSignal({ drain: () => drainConnections(app.getHttpAdapter().getInstance(), settings.stopWaitMilliseconds), stop }, log);
  process.stdout.write(`Petstore's api is open at ${formatAddress(await app.getUrl(), settings)}\n`);
};

/**
 * Creates the HTTP interface of a distributed store. The interface does not listen yet. The caller closes `app` first, then
 * closes `accepted`, and closes the store last.
 */
export const createDistributedApi = async (settings: Settings, log: Log, opened: DistributedStore) => {
  const consistency = createConsistency({
    ...opened,
    head: () => opened.store.lastPosition(),
    projections,
    writeWaitMilliseconds: settings.writeWaitMilliseconds,
  });
  // Without PUBLIC_URL, each process has another address, so none of them can be the issuer of all.
  const accepted = acceptTokens(opened, settings, log, () => settings.publicUrl ?? LOCAL_ISSUER);
  const advisor = await createAdvisor(settings, opened, log);
  const serverWatch = watchServers(opened, log);
  const samples = new ProcessSamples(opened.clock.now());
  const heartbeat = openHeartbeat({
    ...{ samples, log, clock: opened.clock, ids: opened.ids, documents: opened.documents },
    roles: ['api'],
    // Workers know the lag.
    lag: async () => null,
    report: async () => ({ servers: await serverWatch.states(), consumers: null }),
  });
  const app = await createApi({
    ...opened,
    settings,
    module: StoreModule.on({
      ...opened,
      attempts: signInAttemptsOf(settings, opened),
      holds: holdsOf(settings),
      processes: heartbeat,
      store: consistency.store,
      documents: consistency.documents,
      advisor,
    }),
    tokens: accepted.tokens,
    health: [createReadinessCheck(opened, serverWatch), ...accepted.health],
    logger: log,
    tokenCommand: TOKEN_COMMAND,
    consistency,
    counters: opened.database.counters,
    metrics: countedIn(samples, opened.metrics),
  });
  for (const { collection } of projections) await opened.documents.prepare(collection);
  await prepareKeptDocuments(opened.documents);
  await opened.documents.prepare(HEARTBEATS);
  return { app, accepted, advisor, serverWatch, heartbeat };
};

/** The servers of an api. It does not use Kafka: workers show the state of Kafka. */
const watchServers = ({ store, database, clock }: DistributedStore, log: Log): ServerWatch =>
  new ServerWatch({
    servers: {
      eventstore: { ping: () => store.ready(), waiting: 'writes are rejected; reads go on' },
      mongodb: { ping: () => database.ping(), waiting: 'reads and payments are rejected; pets and orders are written' },
    },
    clock,
    log,
  });

/**
 * Creates the readiness check. A process is ready while it can reach the log or the read models. With only one of the two,
 * it can still serve some requests.
 */
const createReadinessCheck = (opened: DistributedStore, serverWatch: ServerWatch): ReadinessCheck => {
  const { store, logWatch, documents, faults, clock, decisions } = opened;
  const head = () => store.lastPosition();
  return {
    name: 'store',
    check: cacheForASecond(clock, async () => {
      // Null while the database is down.
      const auditState = withTimeout(readAuditRecord(documents), clock).then(auditStateOf, () => null);
      const [servers, lags, audit] = await Promise.all([serverWatch.states(), measureLag({ ...opened, projections, head }), auditState]);
      const isUp = (name: string): boolean => servers[name]?.status === 'up';
      if (!isUp('eventstore') && !isUp('mongodb'))
        return { ready: false, reason: `neither the log nor the read models can be reached: ${describeDown(servers)}` };
      const reason = logWatch.missingEvents();
      return {
        ready: true,
        details: {
          writable: isUp('eventstore') && reason === null,
          ...(reason !== null && { reason }),
          log: isUp('eventstore') ? 'up' : 'down',
          readModels: isUp('mongodb') ? 'up' : 'down',
          servers,
          history: faults.state(),
          audit,
          ...lags,
          ...pausedIn(decisions),
        },
      };
    }),
  };
};
