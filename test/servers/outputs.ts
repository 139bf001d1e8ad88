import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './data-folder.js';
import type { OutputTarget } from './program.js';

/** What a program's output is connected to. */
export type TestOutput = {
  /** To give to the program. */
  readonly target: OutputTarget;
  /** All that can be read now of what the program wrote. */
  read(): string;
  /** Closes both ends. */
  close(): void;
};

const NO_WAITING = constants.O_NONBLOCK;
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

/** A pipe that is read only by `read`: until then it fills up. */
export const unreadPipe = (): TestOutput => {
  const path = join(newFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | NO_WAITING);
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

/** A pipe whose reader is gone. */
const closedPipe = (): TestOutput => {
  const path = join(newFolder(), 'pipe');
  execFileSync('mkfifo', [path]);
  const reader = openSync(path, constants.O_RDONLY | NO_WAITING);
  const target = openSync(path, constants.O_WRONLY);
  closeSync(reader);
  return { target, read: () => '', close: () => closeSync(target) };
};

/** A device on which there is never any room. */
export const fullDevice = (): TestOutput => {
  const target = openSync('/dev/full', 'w');
  return { target, read: () => '', close: () => closeSync(target) };
};

/** A socket, as systemd gives to what it starts. */
const socket = (target: OutputTarget) => (): TestOutput => ({ target, read: () => '', close: () => undefined });

/** What may become of the output of a service. */
export const BROKEN_OUTPUTS: readonly (readonly [string, () => TestOutput])[] = [
  ['devices that are full', fullDevice],
  ['pipes whose reader is gone', closedPipe],
  ['pipes that nobody reads', unreadPipe],
  ['sockets whose reader is gone', socket('closed')],
  ['sockets that nobody reads', socket('unread')],
];
