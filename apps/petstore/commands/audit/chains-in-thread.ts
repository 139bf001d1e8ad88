import { Worker } from 'node:worker_threads';
import type { ChainCheck, LogAudit } from '../../../../libs/audit/verify/verify-log.js';
import type { HistoryFault } from '../../../../libs/eventsourcing/history.js';

/** The part of a folder's log that a thread verifies: the events after the position `after`, up to the position `upTo`. */
export type ChainRange = { readonly dataDir: string; readonly after: number; readonly upTo: number };

/** What the thread reports: a fault, or the position up to which the chains are verified. */
export type ChainMessage = { readonly fault: HistoryFault } | { readonly position: number };

/** The minimum number of events for a thread. Verifying a shorter log takes less time than the start of a thread. */
const MIN_EVENTS = 20_000;
/**
 * The memory of the thread in MB. Without limits, V8 would let 300 MB of used events collect before it frees them. The limits have
 * room for a batch of the largest events and for the hashes in the cache.
 */
const LIMITS = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 128 } as const;

/**
 * Returns the option `startChains`, with which an audit verifies the hash chains of a folder's log in a second thread. Returns
 * no option for a short log.
 */
export const chainsInThread = (dataDir: string, upTo: number): Pick<LogAudit, 'startChains'> =>
  upTo < MIN_EVENTS ? {} : { startChains: (after, onFault) => startChainThread({ dataDir, after, upTo }, onFault) };

/**
 * Verifies the chains of a folder's log in a thread. Hashing is half of an audit's work, so on two processors, this
 * thread halves the time of an audit.
 */
const startChainThread = (range: ChainRange, onFault: (fault: HistoryFault) => void): ChainCheck => {
  const worker = new Worker(new URL('./chain-thread.js', import.meta.url), { workerData: range, resourceLimits: LIMITS });
  const { promise: failure, reject } = Promise.withResolvers<never>();
  let verified = range.after;
  let waiting: { readonly position: number; readonly resolve: () => void } | null = null;
  const advance = (position: number): void => {
    verified = position;
    if (waiting && waiting.position <= verified) waiting.resolve();
  };
  worker.on('message', (message: ChainMessage) => ('fault' in message ? onFault(message.fault) : advance(message.position)));
  worker.on('error', reject);
  worker.on('exit', (code) => reject(new Error(`the thread that verifies the chains ended with code ${code}`)));
  // `failure` is rejected when the thread ends, even after a success. Without this handler, Node would end the process.
  failure.catch(() => undefined);
  return {
    reached(position) {
      if (position <= verified) return Promise.resolve();
      return Promise.race([failure, new Promise<void>((resolve) => (waiting = { position, resolve }))]);
    },
    stop: async () => void (await worker.terminate()),
  };
};
