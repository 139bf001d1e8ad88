/**
 * The time of this machine, by which sockets and requests under way are limited, as they are by Node's own timeouts. It is
 * not the store's Clock, which may be moved: that must not end requests. It never goes back.
 */
export const machineTime = (): number => performance.now();

/** Calls `work` again and again, so many milliseconds apart, without keeping the process alive. Returns a function that stops it. */
export const every = (milliseconds: number, work: () => void): (() => void) => {
  const timer = setInterval(work, milliseconds).unref();
  return () => clearInterval(timer);
};

/** Calls `work` once, after so many milliseconds. Returns a function that takes it back. */
export const after = (milliseconds: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
};
