import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';

/** Receives the number of bytes that were written, and the error that prevented the rest. */
export type WriteCallback = (error: NodeJS.ErrnoException | null, written: number) => void;

/** An output whose writes never block the caller. */
export type Output = {
  write(bytes: Uint8Array, done: WriteCallback): void;
  /** Writes what the output accepts immediately, and returns the number of written bytes. Called at the end of the process. */
  writeNow(bytes: Uint8Array): number;
};

export const STANDARD_ERROR = 2;

/**
 * Opens standard error for writes that never block, even if nothing reads from a pipe. A pipe or terminal is opened a second
 * time: only the second descriptor is non-blocking, because other processes share the first one. A regular file is not opened
 * again: a second descriptor would have its own position, and would overwrite what other processes write.
 */
export const openStandardError = (): Output => {
  const kind = fstatSync(STANDARD_ERROR);
  if (kind.isFile()) return descriptorOutput(STANDARD_ERROR);
  try {
    return descriptorOutput(openSync(`/proc/self/fd/${STANDARD_ERROR}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY));
  } catch {
    // A socket, a pipe of another user, and a system without /proc do not allow a second descriptor. For pipes and sockets, the
    // stream of Node is used, because Node itself makes them non-blocking. For a terminal, the first descriptor is used.
    return kind.isCharacterDevice() ? descriptorOutput(STANDARD_ERROR) : streamOutput(process.stderr);
  }
};

const descriptorOutput = (fd: number): Output => ({
  write: (bytes, done) => write(fd, bytes, (error, written) => done(error, error ? 0 : written)),
  writeNow(bytes) {
    try {
      return writeSync(fd, bytes);
    } catch {
      return 0;
    }
  },
});

const streamOutput = (stream: NodeJS.WriteStream): Output => ({
  write: (bytes, done) => void stream.write(bytes, (error) => done(error ?? null, error ? 0 : bytes.length)),
  writeNow: () => 0,
});
