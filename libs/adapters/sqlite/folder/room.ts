import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';

const PROBE_FILE = '.room';
/** The size of the test file: more than a large commit writes. */
const PROBE_BYTES = 262_144;

/** Returns whether the disk has space for a commit. Writes and removes a test file. */
export const hasFreeSpace = async (directory: string): Promise<boolean> => {
  const path = join(directory, PROBE_FILE);
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
    return true;
  } catch {
    return false;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
};
