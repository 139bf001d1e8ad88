import { setTimeout as wait } from 'node:timers/promises';

/**
 * Resolves after this many milliseconds, or when `stop` aborts. Unlike a wait of the Clock port, this wait keeps the
 * process alive.
 */
export const pause = async (milliseconds: number, stop?: AbortSignal): Promise<void> => {
  await wait(milliseconds, undefined, stop && { signal: stop }).catch(() => undefined);
};
