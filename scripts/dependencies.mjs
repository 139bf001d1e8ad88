import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { run, runPart } from './child.mjs';
import { NODE, ROOT, Refusal, inRoot, readJson, say } from './workspace.mjs';

const STAMP = inRoot('node_modules', '.petstore-dependencies');

/** What is wanted: the lock file, and what package.json asks it to hold. */
export const dependencyDigest = () => {
  const { dependencies, devDependencies } = readJson('package.json');
  const hash = createHash('sha256').update(JSON.stringify({ dependencies, devDependencies }));
  return hash.update(readFileSync(inRoot('package-lock.json'))).digest('hex');
};

const isStamped = (digest) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === digest;

/** npm writes down what it has put into node_modules once it is done: an `npm ci` by hand need not be done again. */
const isInstalledByHand = () => {
  const note = inRoot('node_modules', '.package-lock.json');
  if (!existsSync(note)) return false;
  const { '': project, ...wanted } = readJson('package-lock.json').packages;
  const { dependencies, devDependencies } = readJson('package.json');
  if (
    JSON.stringify([project.dependencies, project.devDependencies].map(sorted)) !==
    JSON.stringify([dependencies, devDependencies].map(sorted))
  )
    return false;
  const present = JSON.parse(readFileSync(note, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, { version, optional, devOptional }]) => optional || devOptional || present[path]?.version === version,
  );
};

const sorted = (record = {}) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

/** This folder's own Node is left out of npm's PATH: installing replaces the file it would be running from. */
const npm = async (...args) => {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(ROOT));
  const env = { ...process.env, PATH: path.join(delimiter) };
  const quiet = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const { code } = await runPart('npm', [...args, ...quiet], { stdio: ['ignore', process.stderr, process.stderr], env, expendable: true });
  return code === 0;
};

const wantedNode = () => `v${readJson('package.json').dependencies.node}`;

const presentNode = async () => {
  if (!existsSync(NODE)) return 'none';
  const { output } = await run(NODE, ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] }).catch(() => ({ output: '' }));
  return output.trim() || 'one that does not run';
};

/** No package's install script runs but that of `node`, which fetches the binary for this machine. */
const install = async () => {
  say('Installing dependencies…');
  // Tools are needed to build, also where NODE_ENV=production would leave them out.
  const installed = await npm('ci', '--ignore-scripts', '--include=dev', '--include=optional');
  if (!installed) throw new Refusal('The dependencies could not be installed: npm says above why.');
};

const bringNode = async () => {
  say(`Fetching Node ${wantedNode()}…`);
  await npm('rebuild', 'node', '--ignore-scripts=false');
  const present = await presentNode();
  if (present === wantedNode()) return;
  throw new Refusal(
    `Node ${wantedNode()} is needed at node_modules/.bin/node, and there is ${present}. The npm package "node" brings it by its install script; ` +
      'run "npm rebuild node --ignore-scripts=false --foreground-scripts" to see what stands in its way.',
  );
};

/** Whether everything package.json asks for was here when it was last looked at. */
export const dependenciesAreFresh = () => isStamped(dependencyDigest()) && existsSync(NODE);

/** Brings node_modules to what the lock file says, with the pinned Node in it. */
export const ensureDependencies = async () => {
  const digest = dependencyDigest();
  if (!isStamped(digest) && !isInstalledByHand()) await install();
  if ((await presentNode()) !== wantedNode()) await bringNode();
  if (!isStamped(digest)) writeFileSync(STAMP, digest);
};
