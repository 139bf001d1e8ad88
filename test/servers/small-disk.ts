import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './data-folder.js';

const BLOCK = Buffer.alloc(64 * 1024);

/** A disk of its own that fills up quickly. */
export type SmallDisk = {
  readonly folder: string;
  /** Takes all the room there is. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  unmount(): void;
};

/** Mounts a disk of that size, as `24m`; null, with the reason, where none can be had. */
export const smallDisk = (size: string): { readonly disk: SmallDisk | null; readonly reason: string } => {
  if (process.platform !== 'linux') return { disk: null, reason: 'tmpfs is mounted on Linux only' };
  const folder = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (fault) {
    return { disk: null, reason: `no tmpfs could be mounted: ${String(fault)}` };
  }
  const ballast = join(folder, 'ballast');
  return {
    reason: '',
    disk: {
      folder,
      fill: () => fillWith(ballast),
      free: () => rmSync(ballast),
      unmount: () => void execFileSync('umount', [folder]),
    },
  };
};

const fillWith = (file: string): void => {
  const handle = openSync(file, 'w');
  try {
    for (;;) writeSync(handle, BLOCK);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== 'ENOSPC') throw fault;
  } finally {
    closeSync(handle);
  }
};
