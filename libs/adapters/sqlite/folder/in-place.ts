import { statSync } from 'node:fs';

/**
 * Returns a function that checks whether the path still leads to the current file. A folder may be moved,
 * removed or replaced while its files are open. Later writes to them would be lost.
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
