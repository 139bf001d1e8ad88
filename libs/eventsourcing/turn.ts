/** Lets everything that waits in the event loop have its turn. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
