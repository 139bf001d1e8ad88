import { setTimeout as wait } from 'node:timers/promises';

/**
 * Resolves after this many milliseconds, or when `stop` aborts. Keeps the process alive, which the Clock port
 * does not.
 */
export const pause = async (milliseconds: number, stop?: AbortSignal): Promise<void> => {
  await wait(milliseconds, undefined, stop && { signal: stop }).catch(() => undefined);
};
