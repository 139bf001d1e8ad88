import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, runStep } from './child.mjs';
import { failedRun, formatVerdict, suitesOf, suitesToRepeat, verdictOf } from './verdict.mjs';
import { NODE, ROOT, inRoot, printLine } from './workspace.mjs';

const JEST = inRoot('node_modules', 'jest', 'bin', 'jest.js');

const jestEnvironment = (extra = {}) => ({
  // Tests start the service about 300 times. Each start is faster if Node finds compiled code in this folder.
  NODE_COMPILE_CACHE: inRoot('node_modules', '.cache', 'node'),
  ...process.env,
  ...extra,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`.trim(),
});

/** Runs jest with these arguments and additional variables of the environment, and returns how it ended. */
export const jest = (args, environment) => run(NODE, [JEST, ...args], { env: jestEnvironment(environment) });

/** Runs jest and returns the suites of its report. Without `workers`, its suites run in one process. */
const runJest = async ({ select, workers, environment = {}, around = [] }, folder, name) => {
  const results = join(folder, `${name}.json`);
  const parallel = workers === undefined ? ['--runInBand'] : ['--maxWorkers', String(workers)];
  // With TERM=dumb, jest does not redraw the terminal. Two parallel runs that redraw it would overwrite each other's lines.
  const env = jestEnvironment({ ...environment, TERM: 'dumb', TMPDIR: folder, PETSTORE_SEEN_STATUSES: join(folder, 'seen-statuses') });
  const [program, ...words] = [...around, NODE, JEST, ...parallel, ...select, '--passWithNoTests', '--json', '--outputFile', results];
  const { code } = await runStep(program, words, { env });
  if (!existsSync(results)) return [failedRun(`jest exited with ${code} and wrote no report`)];
  const suites = suitesOf(JSON.parse(readFileSync(results, 'utf8')), ROOT);
  const hasFailures = suites.some(({ failures }) => failures.length > 0);
  return code === 0 || hasFailures ? suites : [...suites, failedRun(`jest exited with ${code}, although no test failed`)];
};

/** Runs a suite once more, alone, with the options of its run. Returns its second result. */
const repeat = async ({ path }, { environment, around }, folder, name) => {
  // Jest's own configuration leaves the planted suites out.
  const select = ['--testPathIgnorePatterns', '/node_modules/', '--runTestsByPath', inRoot(path)];
  const [again = failedRun(`${path} was not found again`)] = await runJest({ select, environment, around }, folder, name);
  return again;
};

const SLOWEST = 10;

/** Formats the list of the slowest suites. */
const formatSlowest = (suites) =>
  suites
    .toSorted((one, other) => other.milliseconds - one.milliseconds)
    .slice(0, SLOWEST)
    .map(({ path, milliseconds }) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${path}`)
    .join('\n');

const runPhases = async (phases, strict, folder) => {
  /** The run of each suite. The same suite may run on both profiles. */
  const runs = new Map();
  for (const [index, phase] of phases.entries()) {
    const reports = await Promise.all(phase.map((part, number) => runJest(part, folder, `${index}-${number}`)));
    reports.forEach((suites, number) => suites.forEach((suite) => runs.set(suite, phase[number])));
  }
  const suites = [...runs.keys()];
  const repeated = new Map();
  for (const [index, suite] of suitesToRepeat(suites, strict).entries()) {
    printLine(`\nRuns again, alone: ${suite.path}`);
    repeated.set(suite, await repeat(suite, runs.get(suite), folder, `repeated-${index}`));
  }
  return { suites, verdict: verdictOf(suites, repeated) };
};

/**
 * Runs phases one after another, and the runs of a phase in parallel. Repeats failed suites, and prints the slowest suites, the
 * failed and flaky tests and the counts. `strict` lists the suites in which a wrong value is never repeated. Returns the exit
 * code: 0 if no test failed and at least one passed. With `maySkip`, all tests may be skipped.
 */
export const runAll = async (title, phases, { strict = [], maySkip = false } = {}) => {
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  // Some suites run the service as another user, who needs access to this folder.
  chmodSync(folder, 0o755);
  try {
    const { suites, verdict } = await runPhases(phases, strict, folder);
    const seconds = Math.round((performance.now() - begun) / 1000);
    printLine(`\nThe ${SLOWEST} slowest suites:\n${formatSlowest(suites)}\n\n${formatVerdict(title, verdict, seconds)}`);
    const proves = verdict.passed > 0 || (maySkip && verdict.skipped > 0);
    return verdict.failed === 0 && proves ? 0 : 1;
  } finally {
    // The removal is retried, because servers that are stopping may also remove files in this folder.
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
};
