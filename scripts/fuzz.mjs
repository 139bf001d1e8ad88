import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { run, runStep } from './child.mjs';
import { withOptions } from './options.mjs';
import { NODE, UserError, inRoot, printLine } from './workspace.mjs';

const SERVICES = inRoot('test', 'servers', 'services', 'services.sh');
const PETSTORE = inRoot('dist', 'apps', 'petstore', 'main.js');
/** All scopes of the service. A request without the scope of its operation would only get the response 403. */
export const FUZZ_SCOPES = 'read:pets write:pets write:orders write:webhooks audit:read chat:write ops';
/** The documents that list the operations. A short run tests the operations of a document for `shortSeconds`. */
export const FUZZED_DOCUMENTS = [
  { path: '/openapi.json', shortSeconds: 60 },
  { path: '/api/v3/openapi.json', shortSeconds: 15 },
];
/** The lifetime of the token: longer than any run. */
const TOKEN_SECONDS = 86_400;

/** The members of a path item of OpenAPI that are operations. */
const METHODS = ['get', 'put', 'post', 'delete', 'query'];

const HELP = `Usage: npm run fuzz -- [options]

Starts the service on a new folder. Sends it valid and invalid requests that schemathesis generates from /openapi.json
and /api/v3/openapi.json in all phases. Fails on a 5xx and on a response that does not match the description. Also fails
if a valid request is rejected and no rule in docs/fuzzing.md explains it, or if an operation is not tested.

  --short             run for about two minutes
  --max-time SECONDS  limit the fuzzing and stateful tests of each document to this time
  --examples N        requests for each operation in fuzzing and stateful tests (default 100)
  --seed N            random seed (default 1); the run prints it
  --help              print this help

Exit codes: 0 no failures; 1 a failure, or no operation could be tested; 2 invalid options.
`;

const OPTIONS = {
  short: { type: 'boolean', default: false },
  'max-time': { type: 'string' },
  examples: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
};

const checkNumbers = (values) => {
  for (const name of ['max-time', 'examples', 'seed'])
    if (values[name] !== undefined && !/^\d{1,9}$/.test(values[name]))
      throw new TypeError(`--${name} needs a whole number, not ${values[name]}`);
};

/** Installs schemathesis if it is not cached. Returns the path of its Python. */
const installSchemathesis = async () => {
  const { code } = await runStep(SERVICES, ['install', 'fuzz'], { stdio: ['ignore', 'inherit', 'inherit'] });
  if (code !== 0) throw new UserError('schemathesis could not be installed: see the errors of pip above.');
  const { output } = await runStep(SERVICES, ['paths'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return output.trim().split('\n')[3];
};

/**
 * Starts the service on a folder and a free port. Returns `listening`, a promise of the service's URL. Also returns functions
 * that stop the service and that report whether it runs.
 */
const startService = (folder) => {
  const env = { ...process.env, DATA_DIR: folder, PORT: '0', HOST: '127.0.0.1', RATE_LIMIT: 'off', LOG_LEVEL: 'error', NODE_ENV: 'test' };
  const child = spawn(NODE, [PETSTORE, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const listening = new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
      if (url) resolve(url);
    });
    void ended.then((code) => reject(new UserError(`The service exited with ${code} before it listened: see its errors above.`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { listening, stop, isRunning: () => child.exitCode === null && child.signalCode === null };
};

const tokenFor = async (folder) => {
  const args = [PETSTORE, 'token', '--scope', FUZZ_SCOPES, '--expires-in', String(TOKEN_SECONDS)];
  const { output } = await runStep(NODE, args, { env: { ...process.env, DATA_DIR: folder }, stdio: ['ignore', 'pipe', 'inherit'] });
  return output.trim();
};

const schemathesisArguments = (
  document,
  shortSeconds,
  token,
  reports,
  { short, seed, examples, 'max-time': maxTime = short ? String(shortSeconds) : undefined },
) => [
  ...['-m', 'schemathesis.cli', 'run', document, '--phases', 'examples,coverage,fuzzing,stateful', '--seed', seed],
  ...[
    '-H',
    `Authorization: Bearer ${token}`,
    '--exclude-checks',
    'positive_data_acceptance,negative_data_rejection',
    '--continue-on-failure',
  ],
  ...(maxTime === undefined ? ['--max-examples', examples] : ['--max-time', maxTime]),
  ...['--report', 'json', '--report-json-path', reports, '--generation-database', 'none', '--warnings', 'off'],
];

/** Counts the operations with and without failures, and the generated requests. An untested operation counts as failed. */
const countsOf = (report, operations) => {
  const failures = report.failures.flatMap(({ title, operations }) => operations.map((operation) => ({ title, operation })));
  const failed = new Set(failures.map(({ operation }) => operation)).size + report.errors.length;
  const tested = report.operations?.tested ?? 0;
  return { passed: Math.max(0, tested - failed), failed: failed + operations - tested, cases: report.test_cases.generated };
};

/** Returns the number of operations in a document. */
export const countOperations = async (document) => {
  const { paths } = await (await fetch(document)).json();
  return Object.values(paths).flatMap((item) => METHODS.filter((method) => method in item)).length;
};

const formatUsedRules = (file) => {
  const names = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  return [...Map.groupBy(names, (name) => name)].map(([name, uses]) => `${name} ${uses.length}`).join(', ');
};

/** Tests the operations of one document. Returns their counts. */
const fuzzDocument = async ({ path, shortSeconds }, { python, url, token, folder, used, options }) => {
  const report = join(folder, `report${path.replaceAll('/', '-')}`);
  const env = {
    ...process.env,
    PYTHONPATH: inRoot('test', 'fuzz'),
    SCHEMATHESIS_HOOKS: 'checks',
    PYTHONDONTWRITEBYTECODE: '1',
    FUZZ_RULES_USED: used,
  };
  await run(python, schemathesisArguments(url + path, shortSeconds, token, report, options), { env, cwd: folder });
  if (!existsSync(report)) throw new UserError('schemathesis wrote no report: see its errors above.');
  return countsOf(JSON.parse(readFileSync(report, 'utf8')), await countOperations(url + path));
};

const fuzzService = async (options, folder) => {
  const python = await installSchemathesis();
  const data = join(folder, 'data');
  const service = startService(data);
  try {
    const url = await service.listening;
    const [token, used] = [await tokenFor(data), join(folder, 'rules')];
    const total = { passed: 0, failed: 0, cases: 0 };
    for (const document of FUZZED_DOCUMENTS) {
      const counts = await fuzzDocument(document, { python, url, token, folder, used, options });
      for (const name of Object.keys(total)) total[name] += counts[name];
    }
    const died = service.isRunning() ? 0 : 1;
    if (died) printLine('The service exited during the tests.');
    printLine(`Rejected by rules that no schema can express (docs/fuzzing.md): ${formatUsedRules(used) || 'none'}`);
    const { passed, failed, cases } = total;
    printLine(`\nAll fuzzing: ${passed} passed, ${failed + died} failed (operations; ${cases} requests, seed ${options.seed})`);
    return failed + died === 0 ? 0 : 1;
  } finally {
    await service.stop();
  }
};

/** Fuzzes the service on a new folder. Returns the exit code. */
export const fuzz = withOptions({ help: HELP, options: OPTIONS, check: checkNumbers }, async (options) => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-fuzz-'));
  try {
    return await fuzzService(options, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
