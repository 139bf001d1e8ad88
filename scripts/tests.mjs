import { mkdtempSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, runPart } from './child.mjs';
import { NODE, inRoot, say } from './workspace.mjs';

const JEST = inRoot('node_modules', 'jest', 'bin', 'jest.js');

const jestEnvironment = (extra = {}) => ({
  ...process.env,
  ...extra,
  NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --experimental-vm-modules --no-warnings`.trim(),
});

/** Runs jest with these arguments; answers how it ended. */
export const jest = (args) => run(NODE, [JEST, ...args], { env: jestEnvironment() });

/** Specs of one process each share the cores; what starts whole servers, and kills them, has the machine to itself. */
const PHASES = [
  {
    args: [
      '--testPathIgnorePatterns',
      '/node_modules/',
      '/test/(journeys|faults|bench|architecture/planted)/',
      '--maxWorkers',
      String(Math.max(2, availableParallelism() / 2)),
    ],
  },
  {
    folder: 'test/http',
    // The first suite waits until the servers and processes that all of them ask have started.
    args: ['--runInBand', '--testTimeout', '90000', '--testPathPatterns', '/test/http/'],
    environment: { PETSTORE_TEST_PROFILE: 'distributed' },
  },
  { folder: 'test/journeys', args: ['--runInBand', '--testPathPatterns', '/test/journeys/'] },
];

/** A suite that could not even be read counts as one failure. */
const countsOf = ({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites }) => ({
  passed: numPassedTests,
  failed: numFailedTests + numRuntimeErrorTestSuites,
  skipped: numPendingTests + numTodoTests,
});

const runPhase = async ({ args, environment = {} }, results) => {
  const env = jestEnvironment(environment);
  const { code } = await runPart(NODE, [JEST, ...args, '--passWithNoTests', '--json', '--outputFile', results], { env });
  const counts = existsSync(results) ? countsOf(JSON.parse(readFileSync(results, 'utf8'))) : { passed: 0, failed: 1, skipped: 0 };
  // Jest also fails where every test passed, as when a worker dies: that is a failure too.
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
};

/** Every test but the long ones; ends with one line that counts them all. Answers the exit code. */
export const testEverything = async () => {
  const begun = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'petstore-tests-'));
  const total = { passed: 0, failed: 0, skipped: 0 };
  try {
    for (const [index, phase] of PHASES.entries()) {
      if (phase.folder && !existsSync(inRoot(phase.folder))) continue;
      const counts = await runPhase(phase, join(folder, `${index}.json`));
      for (const kind of Object.keys(total)) total[kind] += counts[kind];
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const seconds = Math.round((performance.now() - begun) / 1000);
  say(`\nAll tests: ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped (${seconds} s)`);
  return total.failed === 0 && total.passed > 0 ? 0 : 1;
};

/** The long repetitions: kills, full disks, slow peers. Each says how often; FAULT_ROUNDS may say otherwise. */
export const testFaults = (args) => jest(['--runInBand', '--testPathPatterns', '/test/faults/', ...args]);
