import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { compileLibrary } from './preloaded-library.js';

/**
 * A library that is loaded before the C library. It adds as many milliseconds to the time of day as the first eight bytes of the file
 * CLOCK_CHANGE contain. The file is mapped, so a change applies at once. The monotonic clock and timers stay as they are.
 */
const SOURCE = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
static int64_t change(void) {
  static volatile int64_t *mapped;
  if (!mapped) {
    void *pages = MAP_FAILED;
    int file = open(getenv("CLOCK_CHANGE"), O_RDONLY);
    if (file >= 0) pages = mmap(0, 8, PROT_READ, MAP_SHARED, file, 0);
    if (pages == MAP_FAILED) abort();
    mapped = pages;
  }
  return *mapped;
}
int clock_gettime(clockid_t clock, struct timespec *time) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    int64_t nanoseconds = time->tv_nsec + change() % 1000 * 1000000;
    time->tv_sec += change() / 1000 + (nanoseconds >= 1000000000) - (nanoseconds < 0);
    time->tv_nsec = (nanoseconds + 1000000000) % 1000000000;
  }
  return result;
}
int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  if (clock_gettime(CLOCK_REALTIME, &time)) return -1;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}
time_t time(time_t *result) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
`;

/** A clock of programs that a test can set. */
export type WrongClock = {
  /** The variables of a program that has the clock. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the clock this many milliseconds ahead of the right time, or behind it if the number is negative. */
  set(ahead: number): void;
};

/** Returns a function that creates clocks. If this is impossible, `createClock` is null and `reason` says why. */
export const wrongClocks = (): { readonly createClock: ((ahead: number) => WrongClock) | null; readonly reason: string } => {
  const { library, reason, folder } = compileLibrary(SOURCE);
  if (library === null) return { createClock: null, reason };
  let clocks = 0;
  const createClock = (ahead: number): WrongClock => {
    const change = join(folder, `change-${++clocks}`);
    const bytesOf = (milliseconds: number): Buffer => {
      const bytes = Buffer.alloc(8);
      bytes.writeBigInt64LE(BigInt(milliseconds));
      return bytes;
    };
    writeFileSync(change, bytesOf(ahead));
    return {
      env: { LD_PRELOAD: library, CLOCK_CHANGE: change },
      set(milliseconds) {
        const file = openSync(change, 'r+');
        writeSync(file, bytesOf(milliseconds), 0, 8, 0);
        closeSync(file);
      },
    };
  };
  return { createClock, reason };
};
