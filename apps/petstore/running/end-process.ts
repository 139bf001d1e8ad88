/** Work in Node's threads that cannot be cancelled: the lookup of a host name, or an access to a file. */
const IN_THREADS = /^(?:GetAddrInfoReqWrap|FSReq)/;

/**
 * Ends the process at once. process.exit waits for Node's threads: the lookup of a lost server's name delays
 * it by up to ten seconds. Another program in place of this one ends the threads, and exits with the code.
 */
export const endProcess = (code: number): never => {
  if (process.getActiveResourcesInfo().some((work) => IN_THREADS.test(work))) {
    process.emit('exit', code);
    try {
      process.execve?.(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {});
    } catch {
      // A system that cannot replace a program waits for the threads.
    }
  }
  process.exit(code);
};
