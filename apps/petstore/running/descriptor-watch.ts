import { closeSync, openSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import type { Log } from '../../../libs/eventsourcing/ports/log.port.js';
import { isOutOfDescriptors } from '../../../libs/eventsourcing/reason.js';

/** Milliseconds between two checks. */
const CHECK_EVERY = 1_000;

const openAndClose = (): void => closeSync(openSync(devNull, 'r'));

/**
 * Logs when this process, or the machine, has no free file descriptor, and when it has one again (contract 25.1). Nobody else notices: Node
 * closes new connections without an error. `open` opens and closes a file. Returns a function that ends the watch.
 */
export const watchDescriptors = (clock: Clock, log: Log, open = openAndClose): (() => void) => {
  let exhausted = false;
  let cancelNext = (): void => undefined;
  const check = (): void => {
    const isExhausted = !hasFreeDescriptor(open);
    if (isExhausted && !exhausted)
      log.error(
        { code: 'EMFILE' },
        'no file descriptor is free: new connections are closed until others end. Raise the limit of open files (ulimit -n, LimitNOFILE)',
      );
    if (!isExhausted && exhausted) log.info({}, 'file descriptors are free again');
    exhausted = isExhausted;
    cancelNext = clock.after(CHECK_EVERY, check);
  };
  check();
  return () => cancelNext();
};

/** Returns false only if no descriptor is free: another error says nothing about the limit. */
const hasFreeDescriptor = (open: () => void): boolean => {
  try {
    open();
    return true;
  } catch (error) {
    return !isOutOfDescriptors(error);
  }
};
