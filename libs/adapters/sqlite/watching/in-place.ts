import { statSync, type BigIntStats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

const identityOf = ({ dev, ino }: BigIntStats): string => `${dev} ${ino}`;

/**
 * Returns a function that checks whether `path` still names the same file as when the function was created. Without this
 * check, writes to an open file would be lost after its folder was moved, removed or replaced.
 */
export const createInPlaceCheck = (path: string): (() => boolean) => {
  const identity = (): string => identityOf(statSync(path, { bigint: true }));
  const opened = identity();
  return () => {
    try {
      return identity() === opened;
    } catch {
      return false;
    }
  };
};

/**
 * Returns a function that resolves with the first file of a folder that was removed or replaced since an earlier call saw it, or with
 * null. It does not block the process while the disk is slow. SQLite creates some of the files later than others.
 */
export const createFilesCheck = (directory: string, files: readonly string[]): (() => Promise<string | null>) => {
  const seen = new Map<string, string>();
  return async () => {
    for (const file of files) {
      const found = await stat(join(directory, file), { bigint: true }).then(identityOf, () => null);
      const earlier = seen.get(file);
      if (earlier !== undefined && found !== earlier) return file;
      if (found !== null) seen.set(file, found);
    }
    return null;
  };
};
