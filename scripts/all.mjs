import { runStep } from './child.mjs';
import { NODE, inRoot, printLine } from './workspace.mjs';

/** The parts of `npm run test:all` in their order: the command of scripts/run.mjs, and the beginning of its line of counts. */
const PARTS = [
  { verb: 'check', title: 'All checks' },
  { verb: 'test', title: 'All tests' },
  { verb: 'more', title: 'More tests' },
  { verb: 'containers', title: 'All containers' },
  { verb: 'fuzz', title: 'All fuzzing' },
];

const COLUMNS = ['passed', 'failed', 'flaky', 'skipped', 'seconds'];

/** Returns the last match of a pattern in a text, or an empty list. */
const lastMatch = (text, pattern) => [...text.matchAll(pattern)].at(-1) ?? [];

/** Returns the counts that a part printed. A part that fails without a failure in its counts has one failure. */
export const countsOf = (title, { code, output }) => {
  const counts = lastMatch(output, new RegExp(`^${title}: (\\d+) passed, (\\d+) failed(?:, (\\d+) skipped)?`, 'gm'));
  const [, passed = 0, failed = 0, skipped = 0] = counts.map((count) => Number(count ?? 0));
  const flaky = Number(lastMatch(output, /^(\d+) flaky:/gm)[1] ?? 0);
  return { passed, failed: code !== 0 && failed === 0 ? 1 : failed, flaky, skipped };
};

const WIDTH = 10;

/** Formats a table with one row for each part. */
export const formatTable = (rows) =>
  [
    ['part'.padEnd(WIDTH), ...COLUMNS.map((name) => name.padStart(WIDTH))].join(''),
    ...rows.map((row) => [row.part.padEnd(WIDTH), ...COLUMNS.map((name) => String(row[name]).padStart(WIDTH))].join('')),
  ].join('\n');

/** Runs every check and every test, one part after another, and prints a table of their counts. Returns the exit code. */
export const testAll = async () => {
  const rows = [];
  for (const { verb, title } of PARTS) {
    const begun = performance.now();
    const ended = await runStep(NODE, [inRoot('scripts', 'run.mjs'), verb], { stdio: ['ignore', 'pipe', 'pipe'], echo: true });
    rows.push({ part: verb, ...countsOf(title, ended), seconds: Math.round((performance.now() - begun) / 1000) });
  }
  printLine(`\n${formatTable(rows)}`);
  const total = (name) => rows.reduce((sum, row) => sum + row[name], 0);
  printLine(`\n${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`);
  return total('failed') === 0 ? 0 : 1;
};
