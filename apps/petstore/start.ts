import { CommandBus } from '@nestjs/cqrs';
import type { Settings } from '../../libs/application/settings.js';
import { createApi } from '../api/api.js';
import { startWorker } from '../worker/worker.js';
import { openEmbeddedStore, type EmbeddedOptions, type EmbeddedStore } from './embedded.module.js';
import type { Log } from './log.js';
import { StoreModule } from './store.module.js';
import { openTokens } from './tokens.module.js';

/** A store that answers requests. */
export type Running = {
  /** Where it listens, as `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly store: EmbeddedStore;
  /** Resolves once every process has dealt with what was in the log. */
  settled(): Promise<void>;
  /** Answers what it accepted, finishes what it began, and lets go of the folder. */
  stop(): Promise<void>;
};

/** Opens the folder and starts api and worker in this process. */
export const start = async (settings: Settings, log: Log, options: Partial<EmbeddedOptions> = {}): Promise<Running> => {
  const store = await openEmbeddedStore({ directory: settings.dataDir, log, ...options });
  try {
    return await serve(settings, log, store);
  } catch (error) {
    await store.close();
    throw error;
  }
};

const serve = async (settings: Settings, log: Log, store: EmbeddedStore): Promise<Running> => {
  const tokens = await openTokens(store.keys, store.clock);
  const app = await createApi({ settings, module: StoreModule.on(store), tokens, health: [], logger: log, ...store });
  await app.init();
  const onError = (error: unknown): void => log.error({ err: error }, 'background work failed; it will be tried again');
  const worker = await startWorker({
    ...store,
    messages: store.embedded.messages,
    bus: app.get(CommandBus),
    orderHoldMilliseconds: settings.orderHoldMilliseconds,
    onError,
  });
  const stopping = new AbortController();
  const caughtUp = store.catchUp({ signal: stopping.signal }).catch(onError);
  await app.listen({ port: settings.port, host: settings.host });
  const url = await app.getUrl();
  store.embedded.announce(url);
  return {
    url,
    store,
    settled: () => worker.reactions.settled(),
    async stop() {
      stopping.abort();
      await app.close();
      await worker.stop();
      await caughtUp;
      await store.close();
    },
  };
};
