import { clearDist } from './build.mjs';
import { run } from './child.mjs';
import { alone } from './lock.mjs';
import { NODE, inRoot } from './workspace.mjs';

/**
 * Starts the embedded store by `nest start --watch`, which compiles what changes and starts it again. What does not compile
 * is shown, and the store goes on as it is until it does.
 */
export const startAndWatch = async (args) => {
  await alone(async () => clearDist());
  const nest = inRoot('node_modules', '@nestjs', 'cli', 'bin', 'nest.js');
  // Nest runs this in a shell. One that stayed would be stopped in the store's place.
  const store = `exec "${NODE}"`;
  // A signal that comes while Nest starts the store again stops the old one, and Nest then starts the new one.
  return run(NODE, [nest, 'start', '--watch', '--preserveWatchOutput', '--exec', store, '--', 'start', ...args], { insist: true });
};
