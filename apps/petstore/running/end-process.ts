/** Work in Node's threads that cannot be cancelled: the lookup of a host name, or an access to a file. */
const IN_THREADS = /^(?:GetAddrInfoReqWrap|FSReq)/;

/**
 * Ends the process at once. process.exit would wait for Node's threads, in which the lookup of a host name can take ten seconds.
 * So a new Node program, which only exits with the code, replaces the process and ends its threads.
 */
export const endProcess = (code: number): never => {
  if (process.getActiveResourcesInfo().some((work) => IN_THREADS.test(work))) {
    // Replacing the process does not emit `exit`. The next line emits it, because a listener of `exit` writes the last log lines.
    process.emit('exit', code);
    try {
      process.execve?.(process.execPath, [process.execPath, '--eval', `process.exit(${code})`], {});
    } catch {
      // On a system that cannot replace a process, process.exit below waits for the threads.
    }
  }
  process.exit(code);
};
