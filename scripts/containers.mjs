import { run } from './child.mjs';
import { withOptions } from './options.mjs';
import { testContainers } from './tests.mjs';
import { inRoot } from './workspace.mjs';

const HELP = `Usage: npm run test:containers -- [options]

Runs the contract suites of servers and a distributed journey on EventStoreDB, MongoDB and Kafka from containers.
Each suite prints its servers and their versions. Without an engine they run on local servers.
Builds deploy/Dockerfile with a container engine, runs the image with few rights, and walks through the README on it.
Then starts deploy/compose.yaml, and stops its servers and processes under load.

It uses docker or podman if one of them has the base image. Otherwise, as root on Debian, it installs an engine and
builds base images from packages (test/containers/engine.sh). It pulls no image. Tests without an engine are skipped.

  --short    test only the image, as .ci/run does: two to four minutes
  --help     print this help

Exit codes: 0 no failures; 1 a failure; 2 invalid options.
`;

/** Runs test/containers/engine.sh, and returns how it ended. */
const engine = (command) => run(inRoot('test', 'containers', 'engine.sh'), [command], { stdio: ['ignore', 'ignore', 'inherit'] });

/** Runs the tests that need a container engine. Returns the exit code. */
export const containers = withOptions({ help: HELP, options: { short: { type: 'boolean', default: false } } }, async (options) => {
  // Prepares an engine and shows the progress on the terminal. The tests report a missing engine.
  await engine('find');
  const wasRunning = (await engine('running')).code === 0;
  try {
    return await testContainers(options);
  } finally {
    if (!wasRunning) await engine('stop');
  }
});
