/**
 * The entry point of every npm script. It works on Node 20 or newer without installed packages. It installs missing or
 * stale packages and the pinned Node, builds if needed, and then runs the script on the pinned Node.
 */
import { testAll } from './all.mjs';
import { buildIsFresh, ensureBuild } from './build.mjs';
import { format, runChecks } from './checks.mjs';
import { run } from './child.mjs';
import { containers } from './containers.mjs';
import { dependenciesAreFresh, ensureDependencies } from './dependencies.mjs';
import { startAndWatch } from './dev.mjs';
import { fuzz } from './fuzz.mjs';
import { withLock } from './lock.mjs';
import { simulate } from './simulate.mjs';
import { isWatching, testEverything, testFolders, testMore, testNames, watchUnitTests } from './tests.mjs';
import { NODE, UserError, Stopped, inRoot, printLine } from './workspace.mjs';

const OLDEST_NODE = 20;

const always = () => true;
const never = () => false;

const CLUSTER = ['dist', 'test', 'servers', 'start-cluster', 'main.js'];

const petstore = (...args) => run(NODE, [inRoot('dist', 'apps', 'petstore', 'main.js'), ...args]);

/** Returns whether the tests start the service and so need the build. Other tests compile the sources themselves. */
const startsTheService = (args) =>
  !isWatching(args) && (args.length === 0 || args.some((path) => /test\/http|journeys|faults|bench|simulation|command-line/.test(path)));

const test = (args) => {
  if (args.length === 0) return testEverything();
  return isWatching(args) ? watchUnitTests(args) : testNames(args);
};

/** Wraps the function of a command that takes no arguments. `--help` prints the usage; any other argument is rejected. */
const withoutArguments = (usage, does) => (args) => {
  if (args.length === 0) return does();
  const isHelp = args.includes('--help') || args.includes('-h');
  if (isHelp) process.stdout.write(`${usage}\n`);
  else printLine(`Unknown argument: ${args[0]}\n${usage}`);
  return isHelp ? 0 : 2;
};

/**
 * The commands by name. `build` returns whether a command needs the build. `does` runs the command, and returns an exit code
 * or the result of `run`.
 */
const VERBS = {
  'start:dev': { build: never, does: startAndWatch },
  start: { build: always, does: (args) => petstore('start', ...args) },
  'start:cluster': { build: always, does: (args) => run(NODE, ['--no-warnings', inRoot(...CLUSTER), ...args]) },
  petstore: { build: always, does: (args) => petstore(...args) },
  build: { build: always, does: () => 0 },
  test: { build: startsTheService, does: test },
  'test-folders': { build: startsTheService, does: testFolders },
  more: { build: always, does: testMore },
  all: {
    build: always,
    does: withoutArguments(
      'Usage: npm run test:all\n\nRuns the checks, the tests, the long tests, the tests on containers and the fuzzing, one after another. Takes over an hour.',
      testAll,
    ),
  },
  bench: { build: always, does: (args) => run(NODE, [inRoot('dist', 'test', 'bench', 'main.js'), ...args]) },
  containers: { build: (args) => !args.includes('--help'), does: containers },
  simulate: { build: (args) => !args.includes('--help'), does: simulate },
  fuzz: { build: (args) => !args.includes('--help'), does: fuzz },
  receiver: { build: never, does: () => run(NODE, [inRoot('examples', 'receiver', 'receiver.ts')]) },
  subscriber: { build: never, does: (args) => run(NODE, [inRoot('examples', 'subscriber', 'subscriber.ts'), ...args]) },
  check: { build: never, does: runChecks },
  accept: {
    build: never,
    does: withoutArguments(
      'Usage: npm run accept\n\nAccepts new fields, events, messages and operations: writes the golden files that are missing or have new members, and lists them.\nRefuses each change that would break stored events, consumers or clients. Exit codes: 0 all accepted, 1 a change refused.',
      () => run(NODE, [inRoot('scripts', 'accept.mjs')]),
    ),
  },
  format: {
    build: never,
    does: withoutArguments(
      'Usage: npm run format\n\nFormats every file, and writes docs/architecture.md, docs/configuration.md, and the tables in docs/api.md and docs/contract.md that repeat the code.',
      format,
    ),
  },
};

const prepare = async (build) => {
  if (dependenciesAreFresh() && (!build || buildIsFresh())) return;
  await withLock(async () => {
    await ensureDependencies();
    if (build) await ensureBuild();
  });
};

/** Ends this process with an exit code, or by the signal that ended the program. */
const endAs = (end) => {
  if (typeof end === 'number') process.exitCode = end;
  else if (end.signal) process.kill(process.pid, end.signal);
  else process.exitCode = end.code;
};

const main = async ([verb, ...args]) => {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE)
    throw new UserError(`Node ${process.version} is too old: install Node ${OLDEST_NODE} or newer.`);
  if (!Object.hasOwn(VERBS, verb ?? '')) throw new UserError(`Usage: node scripts/run.mjs ${Object.keys(VERBS).join('|')} [arguments]`);
  const { build, does } = VERBS[verb];
  await prepare(build(args));
  endAs(await does(args));
};

try {
  await main(process.argv.slice(2));
} catch (fault) {
  if (fault instanceof Stopped) endAs(fault);
  else if (fault instanceof UserError) {
    printLine(fault.message);
    process.exitCode = 1;
  } else throw fault;
}
