import { afterEach } from '@jest/globals';
import { pino } from 'pino';
import type { EmbeddedStoreOptions } from '../../apps/petstore/composition/embedded/embedded.js';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { caller, type Call } from '../servers/calling.js';
import { removeFolders } from '../servers/data-folder.js';
import { STAFF_SCOPES } from '../servers/process.js';

/** Seconds. Tests advance the clock by less, so tokens do not expire. */
const A_MONTH = 30 * 86_400;

/** A service in this process, for tests that replace its parts, for example the clock or a projection. */
export type InProcessPetstore = RunningPetstore & {
  /** Sends a request as staff. */
  readonly call: Call;
  /** All log lines. */
  readonly lines: readonly string[];
};

/** Starts the service on a folder as `petstore start` does, with some parts replaced. */
export const openInProcessStore = async (
  dataDir: string,
  options: Partial<EmbeddedStoreOptions> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<InProcessPetstore> => {
  const lines: string[] = [];
  const settings = parseSettings({ DATA_DIR: dataDir, PORT: '0', RATE_LIMIT: 'off', ...env });
  const log = pino({ level: settings.logLevel }, { write: (line: string) => void lines.push(line) });
  const running = await start(settings, log, options);
  const tokens = await openTokens(running.store.keys, running.store.clock);
  const token = await tokens.sign({ subject: 'staff', scopes: STAFF_SCOPES.split(' '), expiresInSeconds: A_MONTH });
  return { ...running, lines, call: caller(running.url, token) };
};

/** Starts services one after another for the tests of a suite. After each test, ends the last one and removes the folders. */
export const oneStoreAtATime = () => {
  let open: InProcessPetstore | undefined;
  const close = async (): Promise<void> => {
    await open?.stop();
    open = undefined;
  };
  afterEach(async () => {
    await close();
    removeFolders();
  });
  const start = async (...options: Parameters<typeof openInProcessStore>): Promise<InProcessPetstore> =>
    (open = await openInProcessStore(...options));
  return { start, close };
};
