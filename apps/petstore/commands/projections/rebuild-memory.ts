import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The page caches of a rebuild in KiB. It reads and writes in order, so larger caches would only take memory. */
export const REBUILD_CACHE_KIB = 4_096;

/**
 * Returns a function that frees the memory of new objects that are no longer used. A rebuild calls it after each batch, which is
 * then no longer used. Otherwise V8 would take many of these objects for long-lived, and let 100 MB of them collect.
 */
export const freeNewObjects = (): (() => void) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as NodeJS.GCFunction;
  return () => void collect({ type: 'minor' });
};
