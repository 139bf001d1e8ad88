import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { expectInvariant } from '../expect-invariant.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ROOT } from '../servers/program.js';

type Failure = { readonly name: string; readonly line: string };
type Suite = { readonly path: string; readonly passed: number; readonly skipped: number; readonly failures: readonly Failure[] };
type Verdict = {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly Failure[];
  readonly flaky: readonly Failure[];
};

const { suitesOf, suitesToRepeat, verdictOf, formatVerdict } = (await import(join(ROOT, 'scripts/verdict.mjs'))) as {
  suitesOf: (report: object, root: string) => readonly Suite[];
  suitesToRepeat: (suites: readonly Suite[], strict: readonly RegExp[]) => readonly Suite[];
  verdictOf: (suites: readonly Suite[], repeated: ReadonlyMap<Suite, Suite>) => Verdict;
  formatVerdict: (title: string, verdict: Verdict, seconds: number) => string;
};

type Counts = { readonly passed: number; readonly failed: number; readonly flaky: number; readonly skipped: number };

const { countsOf, formatTable } = (await import(join(ROOT, 'scripts/all.mjs'))) as {
  countsOf: (title: string, ended: { readonly code: number; readonly output: string }) => Counts;
  formatTable: (rows: readonly (Counts & { readonly part: string; readonly seconds: number })[]) => string;
};

const WRONG_VALUE = 'Error: expect(received).toBe(expected) // Object.is equality';
const DEADLINE = 'Error: waited 60000 ms for the order to be approved; last seen: placed';

const suite = (path: string, ...lines: readonly string[]): Suite => ({
  path,
  passed: 2,
  skipped: 1,
  failures: lines.map((line, index) => ({ name: `test ${index}`, line })),
});

const STRICT = [/races/];

/** Returns the message of the error that a function throws. */
const messageOf = (action: () => void): string => {
  try {
    action();
  } catch (error) {
    return String(error);
  }
  return 'nothing was thrown';
};

afterAll(removeFolders);

describe('the verdict on a run of tests', () => {
  it('repeats a suite that failed, whatever the reason', () => {
    const failed = [suite('orders', WRONG_VALUE), suite('pets', DEADLINE)];
    expect(suitesToRepeat([suite('users'), ...failed], STRICT)).toEqual(failed);
  });

  it('counts the tests of a suite as passed if it passes then, and lists them as flaky', () => {
    const [failed, passed] = [suite('orders', DEADLINE), { ...suite('orders'), passed: 3 }];
    const verdict = verdictOf([suite('users'), failed], new Map([[failed, passed]]));
    expect(verdict).toEqual({
      passed: 5,
      failed: 0,
      skipped: 2,
      failures: [],
      flaky: [{ path: 'orders', name: 'test 0', line: DEADLINE }],
    });
  });

  it('is red if a suite fails twice', () => {
    const failed = suite('orders', DEADLINE);
    const verdict = verdictOf([failed], new Map([[failed, suite('orders', WRONG_VALUE)]]));
    expect(verdict).toMatchObject({ failed: 1, failures: [{ path: 'orders', line: WRONG_VALUE }], flaky: [] });
  });

  it('repeats nothing after a broken invariant', () => {
    const line = messageOf(() => expectInvariant('no acknowledged change is lost', ['pet-1 is gone']));
    expect(line).toMatch(/^Error: INVARIANT no acknowledged change is lost: pet-1 is gone$/);
    expect(suitesToRepeat([suite('pets', DEADLINE), suite('orders', line)], STRICT)).toEqual([]);
  });

  it('repeats nothing after a wrong value in a strict suite', () => {
    expect(suitesToRepeat([suite('pets', DEADLINE), suite('hostile-races', WRONG_VALUE)], STRICT)).toEqual([]);
  });

  it.each([
    DEADLINE,
    'thrown: "Exceeded timeout of 180000 ms for a test.',
    'Error: connect ECONNREFUSED 127.0.0.1:3000',
    'TypeError: fetch failed',
    'The suite left behind:',
    'A jest worker process (pid=7) was terminated by another process: signal=SIGKILL',
  ])('repeats a strict suite after %j', (line) => {
    const failed = suite('hostile-races', line);
    expect(suitesToRepeat([failed], STRICT)).toEqual([failed]);
  });

  it('repeats eight failed suites, and none of nine', () => {
    const failed = Array.from({ length: 9 }, (_, index) => suite(`suite ${index}`, DEADLINE));
    expect(suitesToRepeat(failed.slice(1), STRICT)).toHaveLength(8);
    expect(suitesToRepeat(failed, STRICT)).toEqual([]);
  });

  it('ends with the failed and the flaky tests, the names of the flaky ones, and the counts', () => {
    const verdict = {
      passed: 7,
      failed: 1,
      skipped: 2,
      failures: [{ path: 'a', name: 'one', line: WRONG_VALUE }],
      flaky: [{ path: 'b', name: 'two', line: DEADLINE }],
    };
    expect(formatVerdict('All tests', verdict, 9).split('\n')).toEqual([
      'Failed:',
      ...['  a', '    one', `    ${WRONG_VALUE}`],
      'Flaky, because they passed when they ran again:',
      ...['  b', '    two', `    ${DEADLINE}`],
      '1 flaky: b: two',
      'All tests: 7 passed, 1 failed, 2 skipped (9 s)',
    ]);
  });
});

describe('a report of jest', () => {
  const result = { name: '/project/test/a.spec.ts', startTime: 5, endTime: 9, status: 'failed' };

  it('has the first line of each failed test, without colors', () => {
    const failed = { status: 'failed', fullName: 'a test', failureMessages: ['\u001B[31mError: no\u001B[39m\n    at a.ts'] };
    const assertionResults = [{ status: 'passed' }, { status: 'pending' }, { status: 'todo' }, failed];
    expect(suitesOf({ testResults: [{ ...result, assertionResults }] }, '/project')).toEqual([
      { path: 'test/a.spec.ts', milliseconds: 4, passed: 1, skipped: 2, failures: [{ name: 'a test', line: 'Error: no' }] },
    ]);
  });

  it('has a failure for a suite that failed without a failed test', () => {
    const message = '  ● Test suite failed to run\n\n    The suite left behind:\n    - the open port 3000\n';
    expect(suitesOf({ testResults: [{ ...result, message, assertionResults: [] }] }, '/project')).toMatchObject([
      { passed: 0, failures: [{ name: 'the suite', line: 'The suite left behind:' }] },
    ]);
  });
});

describe('npm run test:all', () => {
  it('reads the counts of a part from its output', () => {
    const output = '1 flaky: b: two\nAll tests: 7 passed, 0 failed, 2 skipped (9 s)\n';
    expect(countsOf('All tests', { code: 0, output })).toEqual({ passed: 7, failed: 0, flaky: 1, skipped: 2 });
    expect(countsOf('All checks', { code: 0, output: 'All checks: 4 passed, 0 failed\n' })).toMatchObject({ passed: 4, skipped: 0 });
  });

  it('counts a failure of a part that ends without counts', () =>
    expect(countsOf('All tests', { code: 1, output: 'the build failed' })).toEqual({ passed: 0, failed: 1, flaky: 0, skipped: 0 }));

  it('prints a row for each part', () => {
    const rows = [{ part: 'check', passed: 4, failed: 0, flaky: 0, skipped: 0, seconds: 95 }];
    expect(
      formatTable(rows)
        .split('\n')
        .map((line) => line.split(/ +/)),
    ).toEqual([
      ['part', 'passed', 'failed', 'flaky', 'skipped', 'seconds'],
      ['check', '4', '0', '0', '0', '95'],
    ]);
  });
});

describe('a run of jest', () => {
  it('repeats each failed suite alone, and fails only if one fails twice', async () => {
    const run = `
      import { runAll } from ${JSON.stringify(join(ROOT, 'scripts/test-run.mjs'))};
      const select = ['--testPathIgnorePatterns', '/node_modules/', '--testPathPatterns', 'planted/verdict/'];
      process.exitCode = await runAll('Planted tests', [[{ select, workers: 1 }]]);
    `;
    const child = spawn(process.execPath, ['--input-type=module', '--eval', run], {
      env: { ...process.env, PLANTED_MARKS: newFolder() },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(child, 'close')) as [number];
    const end = output.slice(output.indexOf('Failed:\n'));
    expect(end.split('\n').map((line) => line.trim())).toEqual([
      'Failed:',
      ...['test/architecture/planted/verdict/fails-always.spec.ts', 'fails in every run', WRONG_VALUE],
      'Flaky, because they passed when they ran again:',
      ...['test/architecture/planted/verdict/fails-once.spec.ts', 'fails in its first run only', WRONG_VALUE],
      '1 flaky: test/architecture/planted/verdict/fails-once.spec.ts: fails in its first run only',
      expect.stringMatching(/^Planted tests: 2 passed, 1 failed, 0 skipped \(\d+ s\)$/),
      '',
    ]);
    expect(code).toBe(1);
  });
});
