/**
 * Yields to the event loop. An embedded store answers synchronously, so long work that never yields would
 * block requests and signals until it is done.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
