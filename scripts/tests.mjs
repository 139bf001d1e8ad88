import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run, runPart } from './child.mjs';
import { NODE, ROOT, inRoot, printLine } from './workspace.mjs';

const JEST = inRoot('node_modules', 'jest', 'bin', 'jest.js');

const jestEnvironment = (extra = {}) => ({
  // Tests start the service about 300 times. Each start is faster if Node finds compiled code in this folder.
  NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'node'),
  ...process.env,
  ...extra,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`.trim(),
});

/** Runs jest with these arguments, and returns how it ended. */
const jest = (args) => run(NODE, [JEST, ...args], { env: jestEnvironment() });

const UNIT_FOLDERS = ['apps', 'libs'];

/**
 * Returns a regular expression that matches the paths of the specs in these folders. `name` is also a regular expression: if
 * given, the rest of the path must contain a match of `name`.
 */
const specsBelow = (folders, name = '') => `^(${folders.join('|')})/${name && `.*(${name})`}`;

/** Separates jest's options from the names that select specs by path. */
const separate = (args) => ({ options: args.filter((arg) => arg.startsWith('-')), names: args.filter((arg) => !arg.startsWith('-')) });

/**
 * Runs the specs in folders. The arguments before `--` are the folders. The arguments after `--` are options of jest and
 * names. If names are given, only the specs whose paths match at least one name run.
 */
export const testFolders = (args) => {
  const end = args.indexOf('--');
  const folders = end < 0 ? args : args.slice(0, end);
  const { options, names } = separate(end < 0 ? [] : args.slice(end + 1));
  const patterns = names.length > 0 ? names.map((name) => specsBelow(folders, name)) : [specsBelow(folders)];
  return jest([...options, '--testPathPatterns', ...patterns]);
};

/** Returns whether the arguments make jest watch files. */
export const isWatching = (args) => args.some((arg) => arg === '--watch' || arg === '--watchAll');

/** Watches only unit tests. Other tests start the built service, which a changed source does not update. */
export const watchUnitTests = (args) => testFolders([...UNIT_FOLDERS, '--', ...args]);

/** The tests that take long, which `npm run test:more` runs. */
const LONG = ['\\.more\\.spec\\.ts$', '/test/faults/'];
const NOT_TESTS = ['/node_modules/', '/test/architecture/planted/'];
/** Tests that need a container engine: `npm run test:containers`. */
const CONTAINERS = '\\.containers\\.spec\\.ts$';
const NEVER = [...NOT_TESTS, CONTAINERS];
const SHORT = ['--testPathIgnorePatterns', ...NEVER, ...LONG];

/** Options for suites on the distributed profile. These suites share one set of servers, which the first suite starts. */
const DISTRIBUTED = { environment: { PETSTORE_TEST_PROFILE: 'distributed' }, args: ['--runInBand', '--testTimeout', '90000'] };

/** Returns a pattern that matches the HTTP suites whose names begin with one of these texts. */
const httpSuites = (...beginnings) => `/test/http/(${beginnings.join('|')})`;

/**
 * The HTTP suites that depend on the adapters. `npm test` runs those of ON_BOTH_PROFILES on both profiles. `npm run test:more`
 * runs those of ON_SERVERS_LATER on servers. All other HTTP suites test code that is the same in both profiles.
 */
const ON_BOTH_PROFILES = httpSuites('concurrency', 'entity-tags', 'idempotency', 'inventories', 'orders', 'pets-', 'tenancy');
const ON_SERVERS_LATER = httpSuites('adoption', 'hostile-races', 'order-callbacks', 'payment', 'rate-limits', 'users', 'webhook');

/** The contract suites on servers. All of them run in one process of jest, because each process starts its own servers. */
const ON_SERVERS = '/test/contract/[^/]*\\.(eventstoredb|kafka|mongodb)\\.';

/** The number of suites that run in parallel if suites mostly compute: one per core, at least two. */
const COMPUTING = Math.max(2, availableParallelism());
/** The number of journeys that run in parallel: two per core, because journeys often wait for other processes. */
const WAITING = 2 * COMPUTING;

/**
 * The runs of jest. Phases run in sequence, and the runs of a phase in parallel.
 */
const PHASES = [
  [
    { args: [...SHORT, '/test/(journeys|bench)/', ON_SERVERS, '--maxWorkers', String(COMPUTING)] },
    { ...DISTRIBUTED, args: [...DISTRIBUTED.args, ...SHORT, '--testPathPatterns', ON_BOTH_PROFILES, ON_SERVERS] },
  ],
  [{ args: ['--maxWorkers', String(WAITING), ...SHORT, '--testPathPatterns', '/test/journeys/'] }],
];

const LONG_TESTS = { args: ['--maxWorkers', '2', '--testPathIgnorePatterns', ...NEVER, '--testPathPatterns', ...LONG] };
const LATER_ON_SERVERS = { ...DISTRIBUTED, args: [...DISTRIBUTED.args, ...SHORT, '--testPathPatterns', ON_SERVERS_LATER] };
/** The run, on servers, of the HTTP suites that do not depend on the adapters. */
const OTHERS_ON_SERVERS = {
  ...DISTRIBUTED,
  args: [
    ...[...DISTRIBUTED.args, '--testPathIgnorePatterns', ...NEVER, ...LONG],
    ...[ON_BOTH_PROFILES, ON_SERVERS_LATER, '--testPathPatterns', '/test/http/'],
  ],
};

/** Returns the counts of a report. A suite that cannot be loaded counts as one failure. */
const countsOf = ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites }) => ({
  passed: numPassedTests,
  failed: numFailedTests + numRuntimeErrorTestSuites,
  skipped: numPendingTests + numTodoTests,
});

const runJest = async ({ args, environment = {}, around = [] }, folder, name) => {
  const results = join(folder, name);
  // With TERM=dumb, jest does not redraw the terminal. Two parallel runs that redraw it would overwrite each other's lines.
  const env = jestEnvironment({ ...environment, TERM: 'dumb', TMPDIR: folder });
  const [program, ...words] = [...around, NODE, JEST, ...args, '--passWithNoTests', '--json', '--outputFile', results];
  const { code } = await runPart(program, words, { env });
  if (!existsSync(results)) return { counts: { passed: 0, failed: 1, skipped: 0 }, suites: [] };
  const report = JSON.parse(readFileSync(results, 'utf8'));
  const counts = countsOf(report);
  // Jest may fail although every test passed, for example when one of its workers dies.
  return { counts: code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts, suites: suitesOf(report) };
};

const suitesOf = ({ testResults }) =>
  testResults.map(({ name, startTime, endTime }) => ({ path: relative(ROOT, name), milliseconds: endTime - startTime }));

const SLOWEST = 10;

/** Formats the list of the slowest suites. */
const formatSlowest = (suites) =>
  suites
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, SLOWEST)
    .map(({ path, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${path}`)
    .join('\n');

/**
 * Runs phases, and prints the slowest suites and a line with the counts of all tests. Returns the exit code. A run
 * fails if a test fails, or if no test passes. With `maySkip`, a run in which all tests were skipped succeeds.
 */
const runAll = async (title, phases, { maySkip = false } = {}) => {
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  // Some suites run the service as another user, who needs access to this folder.
  chmodSync(folder, 0o755);
  const total = { passed: 0, failed: 0, skipped: 0 };
  const all = [];
  try {
    for (const [index, phase] of phases.entries()) {
      const reports = await Promise.all(phase.map((runs, part) => runJest(runs, folder, `${index}-${part}.json`)));
      for (const { counts, suites } of reports) {
        all.push(...suites);
        for (const kind of Object.keys(total)) total[kind] += counts[kind];
      }
    }
  } finally {
    // The removal is retried, because servers that are stopping may also remove files in this folder.
    rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
  }
  const seconds = Math.round((performance.now() - begun) / 1000);
  printLine(`\nThe ${SLOWEST} slowest suites:\n${formatSlowest(all)}`);
  printLine(`\n${title}: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped (${seconds} s)`);
  const proves = total.passed > 0 || (maySkip && total.skipped > 0);
  return total.failed === 0 && proves ? 0 : 1;
};

/** Runs the tests whose path matches one of the names, except the long tests. */
export const testNames = (args) => jest([...args, '--testPathIgnorePatterns', ...NEVER, ...LONG]);

/** Runs all tests except the long ones. */
export const testEverything = () => runAll('All tests', PHASES);

/** The contract suites of servers and a distributed journey, on servers from containers. */
const ON_CONTAINERS = {
  environment: { PETSTORE_TEST_SERVERS: 'containers' },
  // The ports of containers may be reachable only inside the network that engine.sh creates.
  around: [inRoot('test', 'containers', 'engine.sh'), 'servers'],
  args: [...[...DISTRIBUTED.args, ...SHORT, '--testPathPatterns'], ...[ON_SERVERS, '/test/journeys/distributed/consistency\\.']],
};

/** Runs the tests that need a container engine. With `short`, runs only the tests of the image. */
export const testContainers = ({ short }) => {
  const pattern = `${short ? '/image' : ''}${CONTAINERS}`;
  const own = { args: ['--runInBand', '--testPathIgnorePatterns', ...NOT_TESTS, '--testPathPatterns', pattern] };
  return runAll('All containers', short ? [[own]] : [[ON_CONTAINERS], [own]], { maySkip: true });
};

/**
 * Runs the long tests, or those whose paths match a name. They test repeated kills, outages, full disks, slow peers,
 * images and the commands in the documents. FAULT_ROUNDS sets the number of repetitions. Without a name, the suites of
 * ON_SERVERS_LATER also run on servers. Unless MORE_ON_SERVERS is `off`, the HTTP suites that do not depend on the adapters
 * run there, too.
 */
export const testMore = (args) => {
  if (args.length === 0) {
    const isShort = process.env.MORE_ON_SERVERS === 'off';
    if (isShort) printLine('MORE_ON_SERVERS=off: the HTTP suites that do not depend on the adapters do not run on servers.');
    return runAll('More tests', [[LONG_TESTS], [LATER_ON_SERVERS], ...(isShort ? [] : [[OTHERS_ON_SERVERS]])]);
  }
  const { options, names } = separate(args);
  const patterns = (names.length > 0 ? names : ['']).map((name) => `^(?=.*(${name})).*(${LONG.join('|')})`);
  return jest(['--runInBand', ...options, '--testPathIgnorePatterns', ...NEVER, '--testPathPatterns', ...patterns]);
};
