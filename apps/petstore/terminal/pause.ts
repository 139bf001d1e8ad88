import { setTimeout as wait } from 'node:timers/promises';

/** Resolves after so many milliseconds, or once `stop` aborts. Keeps the process alive meanwhile, which the Clock port does not. */
export const pause = async (milliseconds: number, stop?: AbortSignal): Promise<void> => {
  await wait(milliseconds, undefined, stop && { signal: stop }).catch(() => undefined);
};
