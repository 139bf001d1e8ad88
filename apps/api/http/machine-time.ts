/**
 * Returns the monotonic time of this machine in milliseconds, for time limits of sockets and requests. With
 * the port `Clock`, a change of the system time would end requests too early or too late.
 */
export const machineTime = (): number => performance.now();

/** Calls `work` periodically without keeping the process alive. Returns a function that stops the calls. */
export const every = (milliseconds: number, work: () => void): (() => void) => {
  const timer = setInterval(work, milliseconds).unref();
  return () => clearInterval(timer);
};

/** Calls `work` once after a delay. Returns a function that cancels the call. */
export const after = (milliseconds: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, milliseconds);
  return () => clearTimeout(timer);
};
