import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns what identifies the file at a path, or null if there is none. */
const identityOf = (path: string): string | null => {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino}` : null;
};

const identityOrNull = (path: string): string | null => {
  try {
    return identityOf(path);
  } catch {
    return null;
  }
};

/**
 * Returns a function that checks whether `path` still names the same file as when the function was created. Without this
 * check, writes to an open file would be lost after its folder was moved, removed or replaced.
 */
export const createInPlaceCheck = (path: string): (() => boolean) => {
  const opened = identityOf(path);
  return () => identityOrNull(path) === opened;
};

/**
 * Returns a function that resolves with the first file of a folder that was removed or replaced since an earlier call saw it, or with
 * null. SQLite creates some of the files later than others.
 */
export const createFilesCheck = (directory: string, files: readonly string[]): (() => Promise<string | null>) => {
  const seen = new Map<string, string>();
  return async () => {
    for (const file of files) {
      const [known, found] = [seen.get(file), await currentIdentity(join(directory, file))];
      if (known !== undefined && found !== known) return file;
      if (found !== null) seen.set(file, found);
    }
    return null;
  };
};

/** Like `identityOrNull`, without waiting for a slow disk. */
const currentIdentity = (path: string): Promise<string | null> =>
  stat(path, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => null,
  );
