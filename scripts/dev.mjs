import { clearDist } from './build.mjs';
import { run } from './child.mjs';
import { withLock } from './lock.mjs';
import { NODE, inRoot } from './workspace.mjs';

/**
 * Starts the embedded store by `nest start --watch`, which compiles changed files and restarts the store. It
 * prints compiler errors, and the store keeps running until the sources compile.
 */
export const startAndWatch = async (args) => {
  await withLock(async () => clearDist());
  const nest = inRoot('node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  // Nest runs this in a shell. Without `exec` the shell would receive the signal instead of the store.
  const store = `exec "${NODE}"`;
  // `insist`: a signal during a restart stops only the old process, and Nest then starts the new one.
  return run(NODE, [nest, 'start', '--watch', '--preserveWatchOutput', '--exec', store, '--', 'start', ...args], { insist: true });
};
