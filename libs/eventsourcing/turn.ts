/**
 * Lets everything that waits in the event loop have its turn. An embedded store answers without waiting for anything, so
 * that long work without turns in between would keep requests and signals waiting until all is done.
 */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
