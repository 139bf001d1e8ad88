import { constants, setPriority } from 'node:os';

/**
 * Runs a measurement with a high priority of this process, which sends the reads. The readers of a real service have processors
 * of their own, so the other load must not delay them. Only root may set a high priority; for other users, the results include
 * such delays.
 */
export const withReaderPriority = async <T>(measure: () => Promise<T>): Promise<T> => {
  try {
    setPriority(constants.priority.PRIORITY_HIGH);
  } catch {
    process.stderr.write('Without root, the results include delays of the process that sends the reads.\n');
  }
  try {
    return await measure();
  } finally {
    setPriority(constants.priority.PRIORITY_NORMAL);
  }
};
