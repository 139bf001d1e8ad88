import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileLibrary } from './preloaded-library.js';

/**
 * A library that is loaded before the C library. Each fsync waits for as many milliseconds as the file SYNC_DELAY contains, like
 * a disk that is slow.
 */
const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void delay(void) {
  FILE *file = fopen(getenv("SYNC_DELAY"), "r");
  int milliseconds = 0;
  if (!file) return;
  if (fscanf(file, "%d", &milliseconds) != 1) milliseconds = 0;
  fclose(file);
  for (; milliseconds > 0; milliseconds -= 10) usleep(10000);
}
int fsync(int file) {
  delay();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
int fdatasync(int file) {
  delay();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
`;

/** A disk whose fsync a test can delay. */
export type SlowDisk = {
  /** The variables of a program that uses the disk. */
  readonly env: Readonly<Record<string, string>>;
  /** Delays each fsync that begins from now on. 0: not at all. */
  delay(milliseconds: number): void;
};

/** Compiles the library. If this is impossible, `disk` is null and `reason` says why. */
export const slowDisk = (): { readonly disk: SlowDisk | null; readonly reason: string } => {
  const { library, reason, folder } = compileLibrary(SOURCE);
  if (library === null) return { disk: null, reason };
  const delay = join(folder, 'delay');
  return {
    reason,
    disk: {
      env: { LD_PRELOAD: library, SYNC_DELAY: delay },
      delay(milliseconds) {
        writeFileSync(`${delay}.new`, String(milliseconds));
        renameSync(`${delay}.new`, delay);
      },
    },
  };
};
