import { clearDist } from './build.mjs';
import { run } from './child.mjs';
import { withLock } from './lock.mjs';
import { NODE, inRoot } from './workspace.mjs';

/**
 * Starts the embedded store with `nest start --watch`, which compiles changed files and restarts the store. While
 * there are compiler errors, the previous store keeps running.
 */
export const startAndWatch = async (args) => {
  await withLock(async () => clearDist());
  const nest = inRoot('node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  // Nest runs this command in a shell. Without `exec`, the shell would receive signals instead of the store.
  const store = `exec "${NODE}"`;
  // `insist` repeats a signal: during a restart, the first one stops only the old process.
  return run(NODE, [nest, 'start', '--watch', '--preserveWatchOutput', '--exec', store, '--', 'start', ...args], { insist: true });
};
