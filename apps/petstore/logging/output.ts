import { constants, fstatSync, openSync, write, writeSync } from 'node:fs';

/** Receives the number of bytes that were written, and the error that prevented the rest. */
export type WriteCallback = (error: NodeJS.ErrnoException | null, written: number) => void;

/** An output whose writes never block the caller. */
export type Output = {
  write(bytes: Uint8Array, done: WriteCallback): void;
  /** For the end of the process: writes what fits at once and returns its number of bytes. */
  writeNow(bytes: Uint8Array): number;
};

const STANDARD_ERROR = 2;

/**
 * Opens standard error. A write to a pipe without a reader blocks its thread, and Node waits for its threads
 * at exit. Therefore a pipe or terminal is opened a second time, non-blocking; other processes share the
 * first descriptor. Regular files keep their descriptor, because all writers share its position.
 */
export const openStandardError = (): Output => {
  const kind = fstatSync(STANDARD_ERROR);
  if (kind.isFile()) return descriptorOutput(STANDARD_ERROR);
  try {
    return descriptorOutput(openSync(`/proc/self/fd/${STANDARD_ERROR}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY));
  } catch {
    // A socket, a pipe of another user, or no /proc. Node makes pipes and sockets non-blocking.
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
