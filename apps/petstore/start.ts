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
import { openEmbeddedStore, type SqliteOptions, type EmbeddedStore } from './composition/embedded/embedded.js';
import type { Log } from './logging/log.js';
import { cacheForASecond } from './running/cache-for-a-second.js';
import { createRolePorts } from './composition/role-ports.js';
import { closeWithin } from './running/close-within.js';
import { StoreModule } from './composition/store.module.js';
import { explainListenError } from './errors/listen-error.js';
import { openTokens } from './composition/tokens.js';

/** All but the relay: messages of one folder are positions in its log. */
const EMBEDDED_ROLES: ReadonlySet<Role> = new Set(['projections', 'consumers', 'deliveries', 'timers']);

/** A store that answers requests. */
export type Running = {
  /** Where it listens, as `http://HOST:PORT`. */
  readonly url: string;
  readonly store: EmbeddedStore;
  /** Answers what it accepted, finishes what it began, and lets go of the folder. */
  stop(): Promise<void>;
};

/** Opens the folder and starts api and worker in this process. */
export const start = async (settings: Settings, log: Log, options: Partial<SqliteOptions> = {}): Promise<Running> => {
  const store = await openEmbeddedStore({ directory: settings.dataDir, log, egress: settings, ...options });
  try {
    return await serve(settings, log, store);
  } catch (error) {
    await store.close();
    throw error;
  }
};

const serve = async (settings: Settings, log: Log, store: EmbeddedStore): Promise<Running> => {
  const tokens = await openTokens(store.keys, store.clock);
  const app = await createApi({
    settings,
    module: StoreModule.on(store),
    tokens,
    health: [createReadinessCheck(store)],
    logger: log,
    ...store,
  });
  await app.init();
  const stopping = new AbortController();
  const within = { server: app.getHttpServer(), within: settings.stopWaitMilliseconds, clock: store.clock, log };
  const ends = [() => closeWithin(within, () => app.close())];
  const stop = async (): Promise<void> => {
    stopping.abort();
    for (const end of ends) await end();
  };
  try {
    await app.listen({ port: settings.port, host: settings.host });
    // What is told outside holds addresses of this store, so work begins once they are known.
    const roles = await startRoles(
      EMBEDDED_ROLES,
      await openRolePorts(settings, log, store, app),
      createEmbeddedProfile({ ...store, onError: logErrors(log) }),
    );
    ends.push(() => roles.stop());
    const url = await app.getUrl();
    store.announce(url);
    // Once it answers: checking a long log takes longer than anybody waits for a start.
    const checked = store.checkHistory(stopping.signal).catch(logErrors(log));
    ends.push(() => checked);
    return { url, store, stop: () => stop().then(() => store.close()) };
  } catch (error) {
    await stop();
    throw explainListenError(error, { ...settings, setting: 'PORT' });
  }
};

const logErrors =
  (log: Log) =>
  (error: unknown): void =>
    log.error({ err: error }, 'background work failed; it will be tried again');

const openRolePorts = (settings: Settings, log: Log, store: EmbeddedStore, app: Pick<INestApplicationContext, 'get'>): Promise<RolePorts> =>
  createRolePorts(store, {
    settings,
    log,
    bus: app.get(CommandBus),
    messages: store.messages,
    publicUrl: () => app.get<PublicAddress>(PUBLIC_ADDRESS).url,
    onError: logErrors(log),
  });

/** Ready once the read models can be read: a full disk, which is shown, does not keep anybody from reading. */
const createReadinessCheck = ({ documents, isWritable, messages, faults, clock }: EmbeddedStore): ReadinessCheck => {
  const isWritableNow = cacheForASecond(clock, isWritable);
  const consumersNow = cacheForASecond(clock, () => messages.consumers());
  return {
    name: 'store',
    async check() {
      try {
        await documents.checkpoint('readiness');
        return { ready: true, shown: { writable: await isWritableNow(), history: faults.state(), consumers: await consumersNow() } };
      } catch {
        return { ready: false, reason: 'the store cannot be read' };
      }
    },
  };
};
