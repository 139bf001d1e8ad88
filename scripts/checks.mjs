import { run, runStep } from './child.mjs';
import { NODE, inRoot, printLine } from './workspace.mjs';

const tool = (...path) => inRoot('node_modules', ...path);

/** The environment variable that switches colours on or off. The tools write to a pipe, so they cannot detect the terminal. */
const COLOURS = process.stderr.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' };

/** Returns whether the check of the imports passed. The check fails on a violation, and if no modules were found. */
const architectureVerdict = ({ code, output }) => {
  let report;
  try {
    report = JSON.parse(output).summary;
  } catch {
    return { passed: false, text: output };
  }
  const lines = report.violations.map(({ from, to, rule }) => `  ${from} → ${to} (${rule.name})\n`);
  if (report.totalCruised === 0) lines.push('  no modules were found\n');
  return { passed: code === 0 && lines.length === 0, text: lines.join('') };
};

const verdictByExitCode = ({ code, output }) => ({ passed: code === 0, text: output });

const CHECKS = [
  { name: 'lint', args: [tool('oxlint', 'bin', 'oxlint'), '--report-unused-disable-directives'] },
  // The rules that oxlint does not have.
  { name: 'syntax', args: [tool('eslint', 'bin', 'eslint.js'), '.', '--max-warnings', '0'] },
  {
    name: 'format',
    args: [tool('prettier', 'bin', 'prettier.cjs'), '.', '--check', '--log-level', 'warn', '--cache', '--cache-strategy', 'content'],
  },
  {
    name: 'types',
    args: [
      tool('typescript', 'bin', 'tsc'),
      '--noEmit',
      '--incremental',
      '--tsBuildInfoFile',
      tool('.cache', 'typescript', 'check.tsbuildinfo'),
    ],
  },
  // The console runs in a browser: it has other libraries, and no modules of Node.
  { name: 'types-of-the-console', args: [tool('typescript', 'bin', 'tsc'), '--project', 'apps/console/tsconfig.json'] },
  // Its worker uses code of the service, which Node's types describe.
  { name: 'types-of-the-worker', args: [tool('typescript', 'bin', 'tsc'), '--project', 'apps/console/verify/tsconfig.json'] },
  {
    name: 'architecture',
    args: [
      tool('dependency-cruiser', 'bin', 'dependency-cruiser.mjs'),
      '--config',
      '.dependency-cruiser.js',
      '--output-type',
      'json',
      'apps',
      'libs',
      'test',
      'examples',
    ],
    verdict: architectureVerdict,
  },
  // Files, exports and packages that the product does not use, although tests may; and those that nothing uses.
  { name: 'unused', args: [tool('knip', 'bin', 'knip.js'), '--production'] },
  { name: 'unused-in-tests', args: [tool('knip', 'bin', 'knip.js')] },
];

const check = async ({ name, args, verdict = verdictByExitCode }) => {
  const begun = performance.now();
  const ended = await runStep(NODE, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...COLOURS } });
  const { passed, text } = verdict(ended);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  if (text.trim()) printLine(text.trimEnd());
  printLine(`${passed ? 'passed' : 'FAILED'}  ${name}  ${seconds} s`);
  return passed;
};

const CHECK_USAGE = `Usage: npm run check [-- NAME…]

Runs ${CHECKS.map(({ name }) => name).join(', ')} at the same time, or only those that are named. Exit codes: 0 all passed, 1 a check failed.`;

/** Runs the named checks in parallel, or all. Returns the exit code. */
export const runChecks = async (names) => {
  if (names.includes('--help') || names.includes('-h')) {
    process.stdout.write(`${CHECK_USAGE}\n`);
    return 0;
  }
  const unknown = names.find((name) => !CHECKS.some((one) => one.name === name));
  if (unknown !== undefined) {
    printLine(`Unknown check: ${unknown}\n${CHECK_USAGE}`);
    return 2;
  }
  const results = await Promise.all(CHECKS.filter(({ name }) => names.length === 0 || names.includes(name)).map(check));
  const passed = results.filter(Boolean).length;
  printLine(`All checks: ${passed} passed, ${results.length - passed} failed`);
  return passed === results.length ? 0 : 1;
};

/** Formats all files, and writes the documents that are generated from the code. */
export const format = async () => {
  const { drawArchitecture } = await import('./architecture.mjs');
  drawArchitecture();
  for (const script of ['write-configuration.mjs', 'write-tables.mjs']) {
    const written = await run(NODE, [inRoot('scripts', script)]);
    if (written.code !== 0) return written;
  }
  return run(NODE, [tool('prettier', 'bin', 'prettier.cjs'), '.', '--write', '--log-level', 'warn']);
};
