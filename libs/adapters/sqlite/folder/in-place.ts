import { statSync } from 'node:fs';

/**
 * Creates a check of whether `path` still leads to the file that it leads to now. If the folder of an open
 * file is moved, removed or replaced, later writes to the file would be lost.
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
