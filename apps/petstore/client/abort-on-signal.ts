/**
 * Aborts on SIGINT, SIGTERM, or when the terminal is closed. A signal to the whole process group comes a second time from
 * the wrapper: it must not end half-way what is done at the end.
 */
export const abortOnSignal = (): AbortSignal => {
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => process.stderr.write('Stopping…\n'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  return stop.signal;
};
