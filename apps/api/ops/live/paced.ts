import type { Clock } from '../../../../libs/eventsourcing/ports/clock.port.js';

type Pace = {
  /** Milliseconds between two reads, at least. */
  readonly least: number;
  /** The largest part of the time that reads may take. A read of a second is repeated after 100 s if the share is 0.01. */
  readonly share: number;
  /** Milliseconds that a caller waits. A read that takes longer goes on, and callers get the value before it. */
  readonly patience: number;
};

/**
 * Returns a function that reads a value at a pace that depends on how long the last read took, so that watching a large store does not
 * slow it down. Returns null if the value is unknown: it has not been read yet, or the last read failed. Never rejects.
 */
export const paced = <T>(read: () => Promise<T>, clock: Clock, { least, share, patience }: Pace): (() => Promise<T | null>) => {
  let value: T | null = null;
  let next = -Infinity;
  let reading: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    const begun = clock.elapsed();
    try {
      value = await read();
    } catch {
      value = null;
    }
    const end = clock.elapsed();
    next = end + Math.max(least, (end - begun) / share);
    reading = null;
  };
  return async () => {
    if (!reading && clock.elapsed() >= next) reading = begin();
    if (reading) {
      let cancel = (): void => undefined;
      await Promise.race([reading, new Promise<void>((resolve) => (cancel = clock.after(patience, resolve)))]);
      cancel();
    }
    return value;
  };
};
