import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { run, runPart } from './child.mjs';
import { NODE, ROOT, inRoot, printLine } from './workspace.mjs';

const JEST = inRoot('node_modules', 'jest', 'bin', 'jest.js');

const jestEnvironment = (extra = {}) => ({
  // Tests start the store about three hundred times.
  NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'node'),
  ...process.env,
  ...extra,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`.trim(),
});

/** Runs jest with these arguments; returns how it ended. */
export const jest = (args) => run(NODE, [JEST, ...args], { env: jestEnvironment() });

const UNIT_FOLDERS = ['apps', 'libs'];

/**
 * A regular expression for the specs below these folders whose path also matches `name`, also a regular
 * expression.
 */
const specsBelow = (folders, name = '') => `^(${folders.join('|')})/${name && `.*(${name})`}`;

/** Separates the options for jest from the names that specs must match. */
const separate = (args) => ({ options: args.filter((arg) => arg.startsWith('-')), names: args.filter((arg) => !arg.startsWith('-')) });

/** Runs the specs below the folders before `--`. Names after it select specs that match one of them. */
export const testFolders = (args) => {
  const end = args.indexOf('--');
  const folders = end < 0 ? args : args.slice(0, end);
  const { options, names } = separate(end < 0 ? [] : args.slice(end + 1));
  const patterns = names.length > 0 ? names.map((name) => specsBelow(folders, name)) : [specsBelow(folders)];
  return jest([...options, '--testPathPatterns', ...patterns]);
};

/** Whether the arguments make jest keep running and test changed files. */
export const isWatching = (args) => args.some((arg) => arg === '--watch' || arg === '--watchAll');

/** Watches only unit tests: the others start the build, which a changed source does not update. */
export const watchUnitTests = (args) => testFolders([...UNIT_FOLDERS, '--', ...args]);

/** Tests that need a long time or many repetitions: `npm run test:more`. */
const LONG = ['\\.more\\.spec\\.ts$', '/test/faults/'];
const NEVER = ['/node_modules/', '/test/architecture/planted/'];
const SHORT = ['--testPathIgnorePatterns', ...NEVER, ...LONG];

/** These suites share one cluster of servers and processes. The first suite waits until it has started. */
const DISTRIBUTED = { environment: { PETSTORE_TEST_PROFILE: 'distributed' }, args: ['--runInBand', '--testTimeout', '90000'] };

/** HTTP suites that depend on the adapters. The others test code that is the same in both profiles. */
const ON_BOTH_PROFILES = `/test/http/(${[
  'concurrency',
  'entity-tags',
  'hostile-races',
  'hostile-tenants',
  'idempotency',
  'inventories',
  'order-callbacks',
  'orders',
  'payment',
  'pets-',
  'rate-limits',
  'tenancy',
  'webhook',
].join('|')})`;

/** Suites often wait for other processes, so more of them run at once than there are cores. */
const AT_ONCE = Math.max(3, availableParallelism());

/**
 * The phases run in sequence, and the runs of one phase in parallel. The suites of one cluster run one at a
 * time.
 */
const PHASES = [
  [{ args: [...SHORT, '/test/(journeys|bench)/', '--maxWorkers', String(AT_ONCE)] }],
  [
    { ...DISTRIBUTED, args: [...DISTRIBUTED.args, ...SHORT, '--testPathPatterns', ON_BOTH_PROFILES] },
    { args: ['--maxWorkers', String(AT_ONCE), ...SHORT, '--testPathPatterns', '/test/journeys/'] },
  ],
];

const MORE_PHASES = [
  [{ args: ['--maxWorkers', '2', '--testPathIgnorePatterns', ...NEVER, '--testPathPatterns', ...LONG] }],
  [
    {
      ...DISTRIBUTED,
      args: [...DISTRIBUTED.args, '--testPathIgnorePatterns', ...NEVER, ...LONG, ON_BOTH_PROFILES, '--testPathPatterns', '/test/http/'],
    },
  ],
];

/** A suite that cannot be loaded counts as one failure. */
const countsOf = ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites }) => ({
  passed: numPassedTests,
  failed: numFailedTests + numRuntimeErrorTestSuites,
  skipped: numPendingTests + numTodoTests,
});

const runJest = async ({ args, environment = {} }, folder, name) => {
  const results = join(folder, name);
  // Two runs that redraw one terminal would overwrite each other.
  const env = jestEnvironment({ ...environment, TERM: 'dumb', TMPDIR: folder });
  const { code } = await runPart(NODE, [JEST, ...args, '--passWithNoTests', '--json', '--outputFile', results], { env });
  if (!existsSync(results)) return { counts: { passed: 0, failed: 1, skipped: 0 }, suites: [] };
  const report = JSON.parse(readFileSync(results, 'utf8'));
  const counts = countsOf(report);
  // Jest also fails when every test passed, for example when one of its workers dies.
  return { counts: code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts, suites: suitesOf(report) };
};

const suitesOf = ({ testResults }) =>
  testResults.map(({ name, startTime, endTime }) => ({ path: relative(ROOT, name), milliseconds: endTime - startTime }));

const SLOWEST = 10;

/** Formats the slowest suites. */
const formatSlowest = (suites) =>
  suites
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, SLOWEST)
    .map(({ path, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${path}`)
    .join('\n');

/** Runs phases, and prints the slowest suites and one line that counts all tests. Returns the exit code. */
const runAll = async (title, phases) => {
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  // Some suites run the store as another user, who needs access to the folders below.
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
    // Retried: shared servers may still be removing their folders.
    rmSync(folder, { recursive: true, maxRetries: 10, retryDelay: 100 });
  }
  const seconds = Math.round((performance.now() - begun) / 1000);
  printLine(`\nThe ${SLOWEST} slowest suites:\n${formatSlowest(all)}`);
  printLine(`\n${title}: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped (${seconds} s)`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
};

/** Runs all tests but the long ones. */
export const testEverything = () => runAll('All tests', PHASES);

/**
 * Runs the long tests, or those with a path that matches a name: repeated kills, outages, full disks and slow
 * peers (FAULT_ROUNDS sets the repetitions), images, documents from an empty folder, and the HTTP suites on
 * the distributed profile.
 */
export const testMore = (args) => {
  if (args.length === 0) return runAll('More tests', MORE_PHASES);
  const { options, names } = separate(args);
  const patterns = (names.length > 0 ? names : ['']).map((name) => `^(?=.*(${name})).*(${LONG.join('|')})`);
  return jest(['--runInBand', ...options, '--testPathIgnorePatterns', ...NEVER, '--testPathPatterns', ...patterns]);
};
