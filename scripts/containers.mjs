import { run } from './child.mjs';
import { withOptions } from './options.mjs';
import { testContainers } from './tests.mjs';
import { inRoot } from './workspace.mjs';

const HELP = `Usage: npm run test:containers -- [options]

First runs the contract suites for servers, and a test of the distributed profile, on EventStoreDB, MongoDB and Kafka in
containers. Each suite prints its servers and their versions. Without a container engine, these suites use local servers.
Then builds the image of deploy/Dockerfile, runs it with few rights, and runs the commands of the README on it.
Finally starts deploy/compose.yaml, and stops its servers and processes under load.

Uses docker or podman if one of them has the base image. Otherwise, as root on Debian, installs an engine and builds base
images from packages (test/containers/engine.sh). Pulls no image. Without an engine, the tests of the image are skipped.

  --short    test only the image: two to four minutes
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
