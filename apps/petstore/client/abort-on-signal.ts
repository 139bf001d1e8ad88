/**
 * Returns a signal that aborts on SIGINT, SIGTERM, or when the terminal closes. npm may send a signal of the terminal
 * a second time. It must not interrupt the clean-up.
 */
export const abortOnSignal = (): AbortSignal => {
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => process.stderr.write('Stopping…\n'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  return stop.signal;
};
