/** How many calls run at a time, how many may wait, and the error of every further call. */
type CallLimits = { readonly concurrent: number; readonly maxWaiting: number; readonly tooMany: () => Error };

/**
 * Returns a function that starts calls in order. At most `concurrent` calls run at a time, and at most `maxWaiting` calls
 * wait. Any further call rejects with the error from `tooMany`.
 */
export const limitCalls = ({ concurrent, maxWaiting, tooMany }: CallLimits): (<T>(call: () => Promise<T>) => Promise<T>) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (call) => {
    if (running >= concurrent) {
      if (waiting.length >= maxWaiting) throw tooMany();
      // A call that ends passes its place to the first waiting call, so `running` does not change.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await call();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
};
