import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isOutOfDescriptors } from '../../../eventsourcing/reason.js';

const PROBE_FILE = '.room';
/** The size of the test file: more than a large commit writes. */
const PROBE_BYTES = 262_144;

const FULL = 'the disk of the folder has no space, or takes no files';
const NO_DESCRIPTOR = 'no file descriptor is free';

/** Returns why the disk has no space for a commit, or null. Writes and removes a test file. */
export const whyNoRoom = async (directory: string): Promise<string | null> => {
  const path = join(directory, PROBE_FILE);
  try {
    const file = await open(path, 'w', 0o600);
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES));
      await file.sync();
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    return isOutOfDescriptors(error) ? NO_DESCRIPTOR : FULL;
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
};
