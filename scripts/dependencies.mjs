import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { run, runStep } from './child.mjs';
import { NODE, ROOT, UserError, inRoot, readJson, printLine } from './workspace.mjs';

const STAMP = inRoot('node_modules', '.petstore-dependencies');

/** Returns a digest of the lock file and of the dependencies in package.json. */
export const dependencyDigest = () => {
  const { dependencies, devDependencies } = readJson('package.json');
  const hash = createHash('sha256').update(JSON.stringify({ dependencies, devDependencies }));
  return hash.update(readFileSync(inRoot('package-lock.json'))).digest('hex');
};

const isStamped = (digest) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest;

/**
 * Returns whether a user has already run `npm ci` for the current lock file. npm lists the installed packages in
 * node_modules/.package-lock.json. Returns false if package.json and the lock file name different dependencies.
 */
const isInstalledByHand = () => {
  const note = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(note)) return false;
  const { '': project, ...wanted } = readJson('package-lock.json').packages;
  const { dependencies, devDependencies } = readJson('package.json');
  if (
    JSON.stringify([project.dependencies, project.devDependencies].map(sortedEntries)) !==
    JSON.stringify([dependencies, devDependencies].map(sortedEntries))
  )
    return false;
  const present = JSON.parse(readFileSync(note, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional }]) => optional || devOptional || present[path]?.version === version,
  );
};

const sortedEntries = (record = {}) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

/** Runs npm and returns whether it succeeded. Removes the pinned Node from PATH, because npm may replace that Node's file. */
const npm = async (...args) => {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  const env = { ...process.env, PATH: path.join(delimiter) };
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const { code } = await runStep('npm', [...args, ...quiet], { stdio: ['ignore', process.stderr, process.stderr], env, expendable: true });
  return code === 0;
};

const wantedNode = () => `v${readJson('package.json').dependencies.node}`;

const presentNode = async () => {
  if (!existsSync(NODE)) return 'none';
  const { output } = await run(NODE, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] }).catch(() => ({ output: '' }));
  return output.trim() || 'one that does not run';
};

/**
 * Installs the packages without their install scripts. `installNode` later runs the script of the package `node`.
 */
const install = async () => {
  printLine('Installing dependencies…');
  // The build needs the devDependencies, which npm omits with NODE_ENV=production.
  const installed = await npm('ci', '--ignore-scripts', '--include=dev', '--include=optional');
  if (!installed) throw new UserError('The dependencies could not be installed: see the errors of npm above.');
};

/** Runs the install script of the package `node`, which downloads the Node binary for this machine. */
const installNode = async () => {
  printLine(`Fetching Node ${wantedNode()}…`);
  await npm('rebuild', 'node', '--ignore-scripts=false');
  const present = await presentNode();
  if (present === wantedNode()) return;
  throw new UserError(
    `node_modules/.bin/node must be ${wantedNode()}, but is ${present}. The install script of the npm package "node" downloads it; ` +
      'run "npm rebuild node --ignore-scripts=false --foreground-scripts" to see why it fails.',
  );
};

/** Returns whether `ensureDependencies` has succeeded since package.json or the lock file changed. */
export const dependenciesAreFresh = () => isStamped(dependencyDigest()) && existsSync(NODE);

/** Installs the packages of the lock file and the pinned Node if they are missing or stale. */
export const ensureDependencies = async () => {
  const digest = dependencyDigest();
  if (!isStamped(digest) && !isInstalledByHand()) await install();
  if ((await presentNode()) !== wantedNode()) await installNode();
  if (!isStamped(digest)) writeFileSync(STAMP, digest);
};
