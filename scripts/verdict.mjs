import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/**
 * What decides whether a run of tests is green. A suite is `{ path, milliseconds, passed, skipped, failures }`. A failure is
 * `{ name, line }`: the full name of a test and the first line of its message.
 */

/** The beginning of messages that report a broken promise of the service. `expectInvariant` adds it. */
const INVARIANT = 'INVARIANT';

/** Messages of failures that a busy machine can cause: deadlines, refused connections, leftovers and ended workers. */
const CHANCE = [
  /\bwaited \d+ ms for /,
  /\bExceeded timeout of /,
  /\bECONN(REFUSED|RESET)\b/,
  /\bsocket hang up\b/,
  /\bfetch failed\b/,
  /\bleft behind:/,
  /\bjest worker process\b/i,
];

/** With more failed suites than this, none is repeated: so many failures are not chance. */
const MOST_REPEATED = 8;

/** Returns the first line of a message that says what happened. Jest's own headings say nothing. */
const firstLine = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '' && !line.startsWith('●')) ?? 'no message';

const failuresOf = ({ status, message, assertionResults }) => {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  // A suite fails without a failed test if it cannot be loaded, or if it leaves something behind.
  if (failed.length === 0) return status === 'failed' ? [{ name: 'the suite', line: firstLine(message) }] : [];
  return failed.map(({ fullName, failureMessages }) => ({ name: fullName, line: firstLine(failureMessages.join('\n')) }));
};

const count = (tests, ...states) => tests.filter(({ status }) => states.includes(status)).length;

/** Returns the suites of jest's report. Their paths are relative to `root`. */
export const suitesOf = ({ testResults }, root) =>
  testResults.map((result) => ({
    path: relative(root, result.name),
    milliseconds: result.endTime - result.startTime,
    passed: count(result.assertionResults, 'passed'),
    skipped: count(result.assertionResults, 'pending', 'skipped', 'todo'),
    failures: failuresOf(result),
  }));

/** Returns a suite for a run of jest that failed as a whole. */
export const failedRun = (line) => ({
  path: 'jest',
  milliseconds: 0,
  passed: 0,
  skipped: 0,
  failures: [{ name: 'the run', line: `${INVARIANT}: ${line}` }],
});

/**
 * Returns whether a failure of a suite decides at once. A broken invariant does. In suites whose path matches one of `strict`,
 * so does a wrong value.
 */
const decides = ({ path, failures }, strict) =>
  failures.some(
    ({ line }) =>
      line.includes(INVARIANT) || (strict.some((pattern) => pattern.test(path)) && !CHANCE.some((pattern) => pattern.test(line))),
  );

/** Returns the failed suites that run once more, alone: all, or none if the run is red in any case. */
export const suitesToRepeat = (suites, strict) => {
  const failed = suites.filter(({ failures }) => failures.length > 0);
  return failed.length > MOST_REPEATED || failed.some((suite) => decides(suite, strict)) ? [] : failed;
};

/**
 * Returns the counts of a run, and its failed and flaky tests. `repeated` maps each repeated suite to its second result. A
 * suite that passes then is flaky, and its tests count as passed.
 */
export const verdictOf = (suites, repeated) => {
  const verdict = { passed: 0, failed: 0, skipped: 0, failures: [], flaky: [] };
  for (const suite of suites) {
    const last = repeated.get(suite) ?? suite;
    verdict.passed += last.passed;
    verdict.skipped += last.skipped;
    verdict.failed += last.failures.length;
    const listed = (failures) => failures.map((failure) => ({ path: suite.path, ...failure }));
    verdict.failures.push(...listed(last.failures));
    if (last.failures.length === 0) verdict.flaky.push(...listed(suite.failures));
  }
  return verdict;
};

const formatTests = (title, tests) =>
  tests.length === 0 ? [] : [title, ...tests.map(({ path, name, line }) => `  ${path}\n    ${name}\n    ${line}`)];

/** Formats the end of the output: every failed and flaky test, the flaky ones by name, and the counts. */
export const formatVerdict = (title, { passed, failed, skipped, failures, flaky }, seconds) => {
  const names = [...new Set(flaky.map(({ path, name }) => `${path}: ${name}`))];
  return [
    ...formatTests('Failed:', failures),
    ...formatTests('Flaky, because they passed when they ran again:', flaky),
    `${names.length} flaky: ${names.join('; ') || 'none'}`,
    `${title}: ${passed} passed, ${failed} failed, ${skipped} skipped (${seconds} s)`,
  ].join('\n');
};
