import { parentPort, workerData } from 'node:worker_threads';
import { chainOnlyCodec, checkHistory } from '../../../../libs/runtime/codec/history-check.js';
import { openVerifiedFolder } from '../../composition/embedded/inspect-folder.js';
import type { ChainMessage, ChainRange } from './chains-in-thread.js';

/** Events per batch. It is small, because the memory of the thread is limited. An event may have 128 KB in memory. */
const BATCH = 100;

// The program of the thread that `startChainThread` starts. The thread opens its own snapshot of the log.
const { dataDir, after, upTo } = workerData as ChainRange;
const send = (message: ChainMessage): void => parentPort?.postMessage(message);
const { store, codec, close } = openVerifiedFolder(dataDir);
await checkHistory({
  ...{ store, codec: chainOnlyCodec(codec), after, upTo },
  // The main thread reports missing positions. This value prevents a second report by this thread.
  positions: 'with gaps',
  onFault: (fault) => send({ fault }),
  onProgress: (position) => send({ position }),
  batch: BATCH,
});
close();
send({ position: upTo });
