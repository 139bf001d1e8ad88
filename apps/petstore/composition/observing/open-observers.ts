import type { Settings } from '../../../../libs/settings/settings.js';
import type { Log } from '../../logging/log.js';
import { watchDescriptors } from '../../running/descriptor-watch.js';
import { clock } from '../clock.js';
import { openMetrics, type ProcessMetrics } from '../metrics/open-metrics.js';
import { observersOf, type Observers } from './observers.js';
import { openTracing } from './open-tracing.js';

/** The open metrics and traces of this process, and the watch of its file descriptors. */
export type ProcessObservers = Omit<ProcessMetrics, 'metrics'> & {
  /** The observers that are on. */
  readonly observers: Observers;
};

/**
 * Opens the metrics and the traces, and watches the file descriptors. A process calls this before it opens anything else, see
 * `openMetrics`, and closes the result last.
 */
export const openObservers = async (settings: Settings, log: Log): Promise<ProcessObservers> => {
  const { metrics, ...measured } = await openMetrics(settings, log);
  const tracing = await openOrClose(measured, () => openTracing(settings, log));
  const endWatch = watchDescriptors(clock, log);
  return {
    ...measured,
    observers: observersOf({ metrics, tracing: tracing ?? undefined }),
    async close() {
      endWatch();
      await tracing?.close();
      await measured.close();
    },
  };
};

/** Returns the result of `open`. If `open` rejects, closes the observers and rejects with the same error. */
export const openOrClose = async <T>(observers: Pick<ProcessObservers, 'close'>, open: () => Promise<T>): Promise<T> => {
  try {
    return await open();
  } catch (error) {
    await observers.close();
    throw error;
  }
};
