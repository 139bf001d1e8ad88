import { statSync } from 'node:fs';

/**
 * Returns a function that returns whether `path` is still the same file as now. If the folder is moved,
 * removed or replaced while its files are open, later writes to them would be lost.
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
