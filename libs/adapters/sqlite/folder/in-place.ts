import { statSync } from 'node:fs';

/**
 * Returns a function that checks whether `path` still names the same file as when the function was created. Without this
 * check, writes to an open file would be lost after its folder was moved, removed or replaced.
 */
export const createInPlaceCheck = (path: string): (() => boolean) => {
  const opened = statSync(path, { bigint: true });
  return () => {
    try {
      const { dev, ino } = statSync(path, { bigint: true });
      return dev === opened.dev && ino === opened.ino;
    } catch {
      return false;
    }
  };
};
