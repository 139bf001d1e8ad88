import { prepareCredentials } from '../../../libs/application/users/credentials.js';
import { prepareDeliveries } from '../../../libs/deliveries/collections.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { projections } from '../../../libs/projections/projections.js';
import { createApi } from '../../api/api.js';
import type { ReadinessCheck } from '../../api/health/readiness.js';
import { createConsistency } from '../../api/http/consistency/consistency.js';
import { requireServers } from '../composition/distributed/open-servers.js';
import { openDistributedStore, type DistributedStore } from '../composition/distributed/distributed.js';
import { withTimeout } from '../running/with-timeout.js';
import { measureLag } from '../composition/distributed/lag.js';
import { createLog } from '../logging/log.js';
import { cacheForASecond } from '../running/cache-for-a-second.js';
import { formatAddress } from '../terminal/banner.js';
import { TOKEN_COMMAND } from '../terminal/installation.js';
import { runUntilSignal } from '../running/run-until-signal.js';
import { closeWithin } from '../running/close-within.js';
import { StoreModule } from '../composition/store.module.js';
import { explainListenError } from '../errors/listen-error.js';
import { openTokens } from '../composition/tokens.js';

/** Serves the HTTP interface in the distributed profile until SIGINT or SIGTERM. */
export const apiCommand = async (given: Settings): Promise<void> => {
  const settings = requireServers(given);
  const log = createLog(settings.logLevel);
  const opened = await openDistributedStore(settings, log);
  const consistency = createConsistency({ ...opened, projections, writeWaitMilliseconds: settings.writeWaitMilliseconds });
  const app = await createApi({
    ...opened,
    settings,
    module: StoreModule.on({ ...opened, store: consistency.store, documents: consistency.documents }),
    tokens: await openTokens(opened.keys, opened.clock),
    health: [createReadinessCheck(opened)],
    logger: log,
    tokenCommand: TOKEN_COMMAND,
    consistency,
    counters: opened.database.counters,
  });
  for (const { collection } of projections) await opened.documents.prepare(collection);
  await prepareDeliveries(opened.documents);
  await prepareCredentials(opened.documents);
  const stop = async (): Promise<void> => {
    const server = app.getHttpServer();
    await closeWithin({ server, within: settings.stopWaitMilliseconds, clock: opened.clock, log }, () => app.close());
    await opened.close();
  };
  try {
    await app.listen({ port: settings.port, host: settings.host });
  } catch (error) {
    await stop();
    throw explainListenError(error, { ...settings, setting: 'PORT' });
  }
  // The signal handler must exist before the output, after which another program may stop this process.
  runUntilSignal({ stop }, log);
  process.stdout.write(`Petstore's api is open at ${formatAddress(await app.getUrl(), settings)}\n`);
};

/**
 * Creates the readiness check: a process is ready while it can reach the log or the read models. With only one of
 * them it can still serve some requests.
 */
const createReadinessCheck = ({ store, database, documents, faults, clock }: DistributedStore): ReadinessCheck => ({
  name: 'store',
  check: cacheForASecond(clock, async () => {
    const isUp = (answer: Promise<unknown>): Promise<boolean> =>
      withTimeout(answer, clock).then(
        () => true,
        () => false,
      );
    const lag = measureLag({ documents, projections, head: () => store.lastPosition(), clock });
    const [log, readModels, behind] = await Promise.all([isUp(store.ready()), isUp(database.ping()), lag]);
    if (!log && !readModels) return { ready: false, reason: 'neither the log nor the read models can be reached' };
    return {
      ready: true,
      details: { writable: log, log: log ? 'up' : 'down', readModels: readModels ? 'up' : 'down', history: faults.state(), behind },
    };
  }),
});
