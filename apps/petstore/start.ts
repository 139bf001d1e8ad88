import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Settings } from '../../libs/settings/settings.js';
import { createApi } from '../api/api.js';
import type { ReadinessCheck } from '../api/health/readiness.js';
import type { PublicAddress } from '../api/http/public-address.js';
import { PUBLIC_ADDRESS } from '../api/tokens.js';
import { createEmbeddedProfile } from '../worker/embedded-profile.js';
import type { Role } from '../worker/role-names.js';
import { startRoles, type RolePorts } from '../worker/roles.js';
import { openEmbeddedStore, type EmbeddedStoreOptions, type EmbeddedStore } from './composition/embedded/embedded.js';
import type { Log } from './logging/log.js';
import { cacheForASecond } from './running/cache-for-a-second.js';
import { createRolePorts } from './composition/role-ports.js';
import { closeWithin } from './running/close-within.js';
import { StoreModule } from './composition/store.module.js';
import { TOKEN_COMMAND } from './terminal/installation.js';
import { explainListenError } from './errors/listen-error.js';
import { openTokens } from './composition/tokens.js';

/** All roles but the relay: an embedded store has no topics. */
const EMBEDDED_ROLES: ReadonlySet<Role> = new Set(['projections', 'consumers', 'deliveries', 'timers']);

/** An embedded service that accepts requests, and its store. */
export type RunningStore = {
  /** The address that the server listens on, `http://HOST:PORT`. */
  readonly url: string;
  readonly store: EmbeddedStore;
  /** Finishes accepted requests and running work, and unlocks the folder. */
  stop(): Promise<void>;
};

/** Opens the folder and starts the api and the worker in this process. */
export const start = async (settings: Settings, log: Log, options: Partial<EmbeddedStoreOptions> = {}): Promise<RunningStore> => {
  const store = await openEmbeddedStore({ directory: settings.dataDir, log, egress: settings, ...options });
  try {
    return await serve(settings, log, store);
  } catch (error) {
    await store.close();
    throw error;
  }
};

const serve = async (settings: Settings, log: Log, store: EmbeddedStore): Promise<RunningStore> => {
  const tokens = await openTokens(store.keys, store.clock);
  const app = await createApi({
    settings,
    module: StoreModule.on(store),
    tokens,
    health: [createReadinessCheck(store)],
    logger: log,
    tokenCommand: TOKEN_COMMAND,
    ...store,
  });
  await app.init();
  const stopping = new AbortController();
  const closeOptions = { server: app.getHttpServer(), within: settings.stopWaitMilliseconds, clock: store.clock, log };
  const stopSteps = [() => closeWithin(closeOptions, () => app.close())];
  const stop = async (): Promise<void> => {
    stopping.abort();
    for (const step of stopSteps) await step();
  };
  try {
    await app.listen({ port: settings.port, host: settings.host });
    // Deliveries contain URLs of this service, so the roles start when the port is known.
    const roles = await startRoles(
      EMBEDDED_ROLES,
      await openRolePorts(settings, log, store, app),
      createEmbeddedProfile({ ...store, onError: logErrors(log) }),
    );
    stopSteps.push(() => roles.stop());
    const url = await app.getUrl();
    store.announce(url);
    // The history is checked in the background, because checking a long log would delay the start.
    const checked = store.checkHistory(stopping.signal).catch(logErrors(log));
    stopSteps.push(() => checked);
    return { url, store, stop: () => stop().then(() => store.close()) };
  } catch (error) {
    await stop();
    throw explainListenError(error, { ...settings, setting: 'PORT' });
  }
};

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
const createReadinessCheck = ({ documents, isWritable, messages, faults, clock }: EmbeddedStore): ReadinessCheck => {
  const isWritableNow = cacheForASecond(clock, isWritable);
  const consumersNow = cacheForASecond(clock, () => messages.consumers());
  return {
    name: 'store',
    async check() {
      try {
        await documents.checkpoint('readiness');
        return { ready: true, details: { writable: await isWritableNow(), history: faults.state(), consumers: await consumersNow() } };
      } catch {
        return { ready: false, reason: 'the store cannot be read' };
      }
    },
  };
};
