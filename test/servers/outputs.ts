import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './data-folder.js';
import type { OutputTarget } from './program.js';

/** A target for the standard output of a program, and the test's access to it. */
export type TestOutput = {
  /** The end that the program writes to. */
  readonly target: OutputTarget;
  /** Reads everything that is available now. */
  read(): string;
  /** Closes both ends. */
  close(): void;
};

const NON_BLOCKING = constants.O_NONBLOCK;
const BLOCK = 65_536;

const readAll = (descriptor: number): string => {
  const blocks: Buffer[] = [];
  for (;;) {
    const block = Buffer.alloc(BLOCK);
    try {
      const length = readSync(descriptor, block);
      if (length === 0) break;
      blocks.push(block.subarray(0, length));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      break;
    }
  }
  return Buffer.concat(blocks).toString();
};

/** A pipe that fills up, because it is not read before `read` is called. */
export const unreadPipe = (): TestOutput => {
  const path = join(newFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | NON_BLOCKING);
  const target = openSync(path, constants.O_WRONLY);
  return {
    target,
    read: () => readAll(reader),
    close() {
      closeSync(reader);
      closeSync(target);
    },
  };
};

/** A pipe with a closed reading end. */
const closedPipe = (): TestOutput => {
  const path = join(newFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | NON_BLOCKING);
  const target = openSync(path, constants.O_WRONLY);
  closeSync(reader);
  return { target, read: () => '', close: () => closeSync(target) };
};

/** A device that is always full. */
export const fullDevice = (): TestOutput => {
  const target = openSync('/dev/full', 'w');
  return { target, read: () => '', close: () => closeSync(target) };
};

/** A socket. systemd, too, gives a service a socket for its output. */
const socket = (target: OutputTarget) => (): TestOutput => ({ target, read: () => '', close: () => undefined });

/** The outputs that a service cannot write to. */
export const BROKEN_OUTPUTS: readonly (readonly [string, () => TestOutput])[] = [
  ['full devices', fullDevice],
  ['pipes with a closed reading end', closedPipe],
  ['pipes that are not read', unreadPipe],
  ['sockets with a closed other end', socket('closed')],
  ['sockets that are not read', socket('unread')],
];
