import type { INestApplicationContext } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { performOn } from '../../libs/application/perform.js';
import type { Settings } from '../../libs/settings/settings.js';
import { createApi } from '../api/api.js';
import type { ReadinessCheck } from '../api/health/readiness.js';
import type { PublicAddress } from '../api/http/public-address.js';
import { PUBLIC_ADDRESS } from '../api/tokens.js';
import { startOutgoing, startWorker, type Outgoing } from '../worker/worker.js';
import { openEmbeddedStore, type SqliteOptions, type EmbeddedStore } from './composition/embedded.js';
import { noticeTo, type Log } from './logging/log.js';
import { onceASecond } from './terminal/once-a-second.js';
import { openSigning, retryingBy } from './composition/outgoing.js';
import { closeWithin } from './running/stop-wait.js';
import { StoreModule } from './composition/store.module.js';
import { refusedPort } from './refusals/taken-port.js';
import { openTokens } from './composition/tokens.js';

/** A store that answers requests. */
export type Running = {
  /** Where it listens, as `http://127.0.0.1:3000`. */
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
  const app = await createApi({ settings, module: StoreModule.on(store), tokens, health: [readable(store)], logger: log, ...store });
  await app.init();
  const onError = (error: unknown): void => log.error({ err: error }, 'background work failed; it will be tried again');
  const worker = await startWorker({
    ...store,
    messages: store.embedded.messages,
    retryParkedStreams: () => store.retryParkedStreams(),
    perform: performOn(app.get(CommandBus)),
    orderHoldMilliseconds: settings.orderHoldMilliseconds,
    onError,
  });
  let outgoing: Outgoing | null = null;
  const stopping = new AbortController();
  let checked: Promise<void> = Promise.resolve();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await closeWithin({ server: app.getHttpServer(), within: settings.stopWaitMilliseconds, clock: store.clock, log }, () => app.close());
    await outgoing?.stop();
    await worker.stop();
    await checked;
  };
  try {
    await app.listen({ port: settings.port, host: settings.host });
    // What is told outside holds addresses of this store, so it is told once they are known.
    outgoing = await tellOutside(settings, log, store, app, onError);
    const url = await app.getUrl();
    store.embedded.announce(url);
    // Once it answers: checking a long log takes longer than anybody waits for a start.
    checked = store.checkHistory(stopping.signal).catch(onError);
    return {
      url,
      store,
      async stop() {
        await stop();
        await store.close();
      },
    };
  } catch (error) {
    await stop();
    throw refusedPort(error, { ...settings, setting: 'PORT' });
  }
};

const tellOutside = async (
  settings: Settings,
  log: Log,
  store: EmbeddedStore,
  app: Pick<INestApplicationContext, 'get'>,
  onError: (error: unknown) => void,
): Promise<Outgoing> =>
  startOutgoing({
    ...store,
    messages: store.embedded.messages,
    perform: performOn(app.get(CommandBus)),
    signing: await openSigning(store.keys),
    retrying: retryingBy(settings),
    publicUrl: () => app.get<PublicAddress>(PUBLIC_ADDRESS).url,
    onDisabled: noticeTo(log),
    onError,
  });

/** Ready once the read models can be read: a full disk, which is shown, does not keep anybody from reading. */
const readable = ({ documents, embedded, faults, clock }: EmbeddedStore): ReadinessCheck => {
  const isWritable = onceASecond(clock, () => embedded.isWritable());
  return {
    name: 'store',
    async check() {
      try {
        await documents.checkpoint('readiness');
        return { ready: true, shown: { writable: await isWritable(), history: faults.state() } };
      } catch {
        return { ready: false, reason: 'the store cannot be read' };
      }
    },
  };
};
