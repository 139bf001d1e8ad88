/**
 * Aborts on SIGINT, SIGTERM, or when the terminal closes. The wrapper repeats a signal that went to the whole
 * process group; the second one must not interrupt the clean-up.
 */
export const abortOnSignal = (): AbortSignal => {
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => process.stderr.write('Stopping…\n'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  return stop.signal;
};
