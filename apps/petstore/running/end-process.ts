/** Work in Node's threads that cannot be cancelled: the lookup of a host name, or an access to a file. */
const IN_THREADS = /^(?:GetAddrInfoReqWrap|FSReq)/;

/**
 * Ends the process at once. process.exit would wait for Node's threads, in which the lookup of a lost
 * server's name takes up to ten seconds. Replacing the process by another program ends the threads; that
 * program exits with the code.
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
