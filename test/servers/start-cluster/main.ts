/** `npm run start:cluster`: runs two apis, two workers and their servers on this machine, until a signal stops them. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockFolder } from '../../../libs/adapters/sqlite/folder/lock.js';
import { FolderRefused } from '../../../libs/adapters/sqlite/index.js';
import { printLine } from '../../print-line.js';
import { ServerMissing } from '../services/real-server.js';
import { formatPath, HELP, InvalidArguments, parseArguments, type ClusterArguments } from './arguments.js';
import { PartFailed, startLocalCluster, type LocalCluster } from './local-cluster.js';
import { SETTINGS_FILE, formatReport } from './report.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Both scripts/run.mjs and npm may pass on a signal, so that it arrives twice. A second signal within this time is such a
 * duplicate. A later signal comes from a user who does not want to wait.
 */
const DUPLICATE_MILLISECONDS = 1_500;

/**
 * Aborts at the first signal, for an orderly stop. A later signal ends this process at once. Each part runs under a guard
 * process, which kills the part when this process has ended.
 */
const abortOnSignal = (): AbortSignal => {
  const stopping = new AbortController();
  let since = Infinity;
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (performance.now() - since > DUPLICATE_MILLISECONDS) process.exit(1);
      if (stopping.signal.aborted) return;
      since = performance.now();
      printLine('Stopping. Ctrl-C again kills everything at once.');
      stopping.abort();
    });
  return stopping.signal;
};

const untilAborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null));
  });

const writeSettings = (folder: string, { servers }: LocalCluster): void => {
  const lines = Object.entries(servers).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(folder, SETTINGS_FILE), lines.join(''), { mode: 0o600 });
};

/** Runs the cluster until a signal, or until one of its parts ends. Returns the exit code. */
const serve = async (given: ClusterArguments, signal: AbortSignal): Promise<number> => {
  const publicUrl = process.env['PUBLIC_URL'] || undefined;
  const cluster = await startLocalCluster({ ...given, signal, onProgress: printLine, publicUrl });
  try {
    writeSettings(given.folder, cluster);
    process.stdout.write(formatReport(given.folder, cluster));
    const end = await Promise.race([untilAborted(signal), cluster.firstEnd]);
    if (end === null) return 0;
    printLine(`${end}\n\nStopping the other parts.`);
    return 1;
  } finally {
    await cluster.stop();
    printLine(`Stopped. The data remain in ${formatPath(given.folder)}.`);
  }
};

const startCluster = async (given: ClusterArguments): Promise<number> => {
  mkdirSync(given.folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(given.folder, new Date());
  const signal = abortOnSignal();
  try {
    return await serve(given, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    printLine('Stopped before everything had started.');
    return 0;
  } finally {
    lock.release();
  }
};

const main = async (args: readonly string[]): Promise<number> => {
  try {
    const given = parseArguments(args, process.env);
    if (given !== null) return await startCluster(given);
    process.stdout.write(HELP);
    return 0;
  } catch (error) {
    if (error instanceof InvalidArguments) {
      printLine(`${error.message}\n\n${HELP}`);
      return 2;
    }
    if (![PartFailed, ServerMissing, FolderRefused].some((kind) => error instanceof kind)) throw error;
    printLine((error as Error).message);
    return 1;
  }
};

// Output to a closed terminal, or to a reader such as `head` that has ended, fails. This must not prevent the stop.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
process.exit(await main(process.argv.slice(2)));
