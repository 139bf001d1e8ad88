/**
 * Returns an AbortSignal that aborts on SIGINT, on SIGTERM, or when the terminal closes. A second signal to the process has no
 * effect, so it does not interrupt the command's clean-up. After Ctrl-C, npm may send such a second signal.
 */
export const abortOnSignal = (): AbortSignal => {
  const stop = new AbortController();
  stop.signal.addEventListener('abort', () => process.stderr.write('Stopping…\n'));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  return stop.signal;
};
