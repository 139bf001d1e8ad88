import { availableParallelism } from 'node:os';
import { installChromium } from './chromium.mjs';
import { jest, runAll } from './test-run.mjs';
import { inRoot } from './workspace.mjs';

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
  return jest([...options, '--testPathPatterns', ...patterns, ...SHORT]);
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
/** Suites about what the other suites have seen, which run after them. */
const LAST = '\\.last\\.spec\\.ts$';
const NEVER = [...NOT_TESTS, CONTAINERS, LAST];
const SHORT = ['--testPathIgnorePatterns', ...NEVER, ...LONG];

/**
 * Suites about promises that a second run cannot restore: after a wrong value here, the run is red and nothing is repeated. A
 * deadline, a refused connection or a leftover process is no wrong value.
 */
const STRICT = [
  /kill/,
  /race|racing|concurren/,
  /idempoten|paying-again|applying-again/,
  /name-claims/,
  /tenan/,
  /secret/,
  /altered-histor/,
  /gateway-ledger/,
];

/** The environment of suites on the distributed profile. These suites share one set of servers, which the first suite starts. */
const DISTRIBUTED = { PETSTORE_TEST_PROFILE: 'distributed' };

/** Returns a pattern that matches the HTTP suites whose names begin with one of these texts. */
const httpSuites = (...beginnings) => `/test/http/(${beginnings.join('|')})`;

/**
 * The HTTP suites that depend on the adapters. `npm test` runs those of ON_BOTH_PROFILES on both profiles. `npm run test:more`
 * runs those of ON_SERVERS_LATER on servers. All other HTTP suites test code that is the same in both profiles.
 */
const ON_BOTH_PROFILES = httpSuites('concurrency', 'entity-tags', 'idempotency', 'inventories', 'orders', 'pets-', 'tenancy');
const ON_SERVERS_LATER = httpSuites(
  'account-races',
  'adoption',
  'hostile-races',
  'order-callbacks',
  'payment',
  'rate-limits',
  'users',
  'webhook',
);

/** The contract suites on servers. All of them run in one process of jest, because each process starts its own servers. */
const ON_SERVERS = '/test/contract/[^/]*\\.(eventstoredb|kafka|mongodb)\\.';
const JOURNEYS = '/test/(journeys|bench)/';

/** The number of workers of a run of jest. */
const CORES = availableParallelism();

/** The phases of `npm test`: runs of jest with the options that select their specs. Those of the second mostly wait for other processes. */
export const PHASES = [
  [{ select: [...SHORT, JOURNEYS, ON_SERVERS], workers: CORES }],
  [
    { environment: DISTRIBUTED, select: [...SHORT, '--testPathPatterns', ON_BOTH_PROFILES, ON_SERVERS] },
    { select: [...SHORT, '--testPathPatterns', JOURNEYS], workers: CORES },
  ],
  [{ select: ['--testPathIgnorePatterns', ...NOT_TESTS, '--testPathPatterns', LAST] }],
];

/** The environment of long tests: a test may take half an hour (test/deadlines.ts). */
const FOR_LONG_TESTS = { PETSTORE_LONG_TESTS: 'yes' };

/** The phases of `npm run test:more`. */
const LONG_PHASES = [
  [{ environment: FOR_LONG_TESTS, select: ['--testPathIgnorePatterns', ...NEVER, '--testPathPatterns', ...LONG], workers: CORES }],
  [{ environment: DISTRIBUTED, select: [...SHORT, '--testPathPatterns', ON_SERVERS_LATER] }],
];

/** Runs the tests whose path matches one of the names, except the long tests. */
export const testNames = (args) => jest([...args, '--testPathIgnorePatterns', ...NEVER, ...LONG]);

/** Runs all tests except the long ones. */
export const testEverything = () => runAll('All tests', PHASES, { strict: STRICT });

/** The contract suites of servers and a distributed journey, on servers from containers. */
const ON_CONTAINERS = {
  environment: { ...DISTRIBUTED, PETSTORE_TEST_SERVERS: 'containers' },
  // The ports of containers may be reachable only inside the network that engine.sh creates.
  around: [inRoot('test', 'containers', 'engine.sh'), 'servers'],
  select: [...SHORT, '--testPathPatterns', ON_SERVERS, '/test/journeys/distributed/consistency\\.'],
};

/** Runs the tests that need a container engine. With `short`, runs only the tests of the image. */
export const testContainers = ({ short }) => {
  const pattern = `${short ? '/image' : ''}${CONTAINERS}`;
  const images = { environment: FOR_LONG_TESTS, select: ['--testPathIgnorePatterns', ...NOT_TESTS, '--testPathPatterns', pattern] };
  return runAll('All containers', short ? [[images]] : [[ON_CONTAINERS], [images]], { strict: STRICT, maySkip: true });
};

/**
 * Runs the long tests, or those whose paths match a name. They test repeated kills, outages, full disks, slow peers,
 * images, pages in Chromium and the commands in the documents. FAULT_ROUNDS sets the number of repetitions. Without a name,
 * the suites of ON_SERVERS_LATER also run on servers.
 */
export const testMore = async (args) => {
  await installChromium();
  if (args.length === 0) return runAll('More tests', LONG_PHASES, { strict: STRICT });
  const { options, names } = separate(args);
  const patterns = (names.length > 0 ? names : ['']).map((name) => `^(?=.*(${name})).*(${LONG.join('|')})`);
  return jest(['--runInBand', ...options, '--testPathIgnorePatterns', ...NEVER, '--testPathPatterns', ...patterns], FOR_LONG_TESTS);
};
