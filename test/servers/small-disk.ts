import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from './data-folder.js';

const BLOCK = Buffer.alloc(64 * 1024);

/** A small disk that a test can fill. */
export type SmallDisk = {
  readonly folder: string;
  /** Uses all free space. */
  fill(): void;
  /** Frees the space that `fill` used. */
  free(): void;
  unmount(): void;
};

/** Mounts a disk of a size, for example `24m`. If this is impossible, `disk` is null and `reason` says why. */
export const smallDisk = (size: string): { readonly disk: SmallDisk | null; readonly reason: string } => {
  if (process.platform !== 'linux') return { disk: null, reason: 'tmpfs is mounted on Linux only' };
  const folder = newFolder();
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'pipe' });
  } catch (fault) {
    return { disk: null, reason: `tmpfs could not be mounted: ${String(fault)}` };
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
