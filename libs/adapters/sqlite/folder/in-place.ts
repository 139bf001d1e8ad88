import { statSync } from 'node:fs';

/**
 * Says from now on whether a path still leads to the file that is there now. A folder may be moved, removed or replaced while
 * its files are open; what is then written to them nobody finds again.
 */
export const inPlace = (path: string): (() => boolean) => {
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
