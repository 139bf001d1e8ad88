import { clearDist, ensureConsole } from './build.mjs';
import { run } from './child.mjs';
import { withLock } from './lock.mjs';
import { NODE, inRoot } from './workspace.mjs';

/**
 * Starts the embedded service with `nest start --watch`, which compiles changed files and restarts the service. The
 * previous version keeps running while there are compiler errors. The console is bundled at the start; after its files have
 * changed, `npm run build` bundles it again, and reloading the page shows it.
 */
export const startAndWatch = async (args) => {
  await withLock(async () => {
    clearDist();
    await ensureConsole();
  });
  const nest = inRoot('node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  // Nest runs this command in a shell. Without `exec`, the shell would receive signals instead of the service.
  const command = `exec "${NODE}"`;
  // `insist` repeats a signal, because during a restart the first signal stops only the old process.
  return run(NODE, [nest, 'start', '--watch', '--preserveWatchOutput', '--exec', command, '--', 'start', ...args], { insist: true });
};
