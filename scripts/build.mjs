import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { runStep } from './child.mjs';
import { dependencyDigest } from './dependencies.mjs';
import { NODE, ROOT, UserError, inRoot, readJson, printLine } from './workspace.mjs';

const STAMP = inRoot('dist', '.build-stamp');
const CONSOLE_STAMP = inRoot('dist', '.console-stamp');
const COMPILER_NOTES = inRoot('dist', '.tsbuildinfo');
const CONFIGURATIONS = ['tsconfig.json', 'tsconfig.build.json'];
const CONSOLE = 'apps/console';
/** What the worker of the console verifies with (apps/console/verify). */
const VERIFIER = ['libs/audit', 'libs/domain/checkpoints', 'libs/eventsourcing/canonical-json.ts', 'libs/eventsourcing/reason.ts'];
const CONSOLE_OUTPUTS = ['console.js', 'console.css', 'verify.js'].map((name) => inRoot('dist', 'console', name));

/**
 * Returns the files in a folder as paths relative to the repository, with forward slashes. For a file, returns only its path.
 */
const filesUnder = (folder) => {
  if (!existsSync(inRoot(folder))) return [];
  if (statSync(inRoot(folder)).isFile()) return [folder];
  return readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, `${entry.parentPath ?? entry.path}${sep}${entry.name}`).replaceAll(sep, '/'));
};

/** Returns the sources that tsconfig.build.json includes. */
const sources = () => {
  const { include, exclude } = readJson('tsconfig.build.json');
  // Each pattern is either the end of a file name, or a folder.
  const isExcluded = (file) =>
    exclude.some((pattern) => (pattern.startsWith('**/*') ? file.endsWith(pattern.slice('**/*'.length)) : file.startsWith(`${pattern}/`)));
  return include
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('.ts') && !isExcluded(file))
    .sort();
};

/** Returns the files from which Vite builds the console. */
const consoleSources = () =>
  [CONSOLE, ...VERIFIER]
    .flatMap(filesUnder)
    .filter((file) => !/\.(spec|fixtures)\.ts$/.test(file))
    .sort();

/** Returns a pair for each compiled file in dist: the path of its source, and its own path. Vite's files have no such source. */
const outputs = () =>
  filesUnder('dist')
    .filter((file) => /\.js(\.map)?$/.test(file) && !file.startsWith('dist/console/'))
    .map((file) => [file.replace(/^dist\//, '').replace(/\.js(\.map)?$/, '.ts'), file]);

const outputOf = (source) => inRoot('dist', source.replace(/\.ts$/, '.js'));

const digestOf = (files) => {
  const hash = createHash('sha256').update(dependencyDigest());
  for (const file of files) {
    const text = readFileSync(inRoot(file));
    hash.update(`${file} ${text.length} `).update(text);
  }
  return hash.digest('hex');
};

const sourceDigest = (files) => digestOf([...CONFIGURATIONS, ...files]);

/**
 * Returns digests of the compiled sources and of the compiler's .tsbuildinfo file. The digest of .tsbuildinfo changes
 * when another program, such as `nest build`, writes to dist.
 */
const stampOf = (digest) => {
  const notes = existsSync(COMPILER_NOTES) ? readFileSync(COMPILER_NOTES) : '';
  return `${digest} ${createHash('sha256').update(notes).digest('hex')}`;
};

const isStamped = (digest) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stampOf(digest);

/** Removes the output of sources that are deleted or excluded. An import could still find such an output. */
const removeOrphans = (files) => {
  for (const [source, file] of outputs()) {
    if (files.includes(source)) continue;
    rmSync(inRoot(file));
    // If the source still exists, it is excluded, but another source may import it. The compiler must then write the removed
    // output again. It does so only without .tsbuildinfo.
    if (existsSync(inRoot(source))) rmSync(COMPILER_NOTES, { force: true });
  }
};

/** Throws if a source is compiled only because another file imports it: the build would not detect changes of such a source. */
const requireIncluded = (files) => {
  const extra = outputs().find(([source]) => !files.includes(source));
  if (extra) throw new UserError(`${extra[0]} is compiled, but tsconfig.build.json does not include it: add it there.`);
};

const compile = async () => {
  const compiler = inRoot('node_modules', 'typescript', 'bin', 'tsc');
  const { code } = await runStep(NODE, [compiler, '-p', 'tsconfig.build.json', '--pretty', String(process.stderr.isTTY === true)], {
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (code !== 0) throw new UserError('The sources do not compile: see the errors above.');
};

/** Bundles the console with Vite, which does not check types: `npm run check` does. */
const bundleConsole = async () => {
  const vite = inRoot('node_modules', 'vite', 'bin', 'vite.js');
  const { code } = await runStep(NODE, [vite, 'build', '--config', `${CONSOLE}/vite.config.ts`], {
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (code !== 0) throw new UserError('The console cannot be built: see the errors above.');
};

const programIsFresh = () => {
  const files = sources();
  return isStamped(sourceDigest(files)) && files.every((file) => existsSync(outputOf(file)));
};

const consoleIsFresh = () => {
  const files = consoleSources();
  if (files.length === 0) return true;
  const isBuilt = [CONSOLE_STAMP, ...CONSOLE_OUTPUTS].every((file) => existsSync(file));
  return isBuilt && readFileSync(CONSOLE_STAMP, 'utf8') === digestOf(files);
};

/** Returns whether dist is the output of the current sources. */
export const buildIsFresh = () => programIsFresh() && consoleIsFresh();

/** Removes stale output from dist. Removes .tsbuildinfo if an output is missing. */
export const clearDist = (files = sources()) => {
  // With .tsbuildinfo, the compiler would not write deleted output again.
  if (!files.every((file) => existsSync(outputOf(file)))) rmSync(COMPILER_NOTES, { force: true });
  removeOrphans(files);
};

/** Builds the console if its files have changed. */
export const ensureConsole = async () => {
  if (consoleIsFresh()) return;
  // The files may change while they are bundled. Then the stamp must not be that of the new ones.
  const digest = digestOf(consoleSources());
  rmSync(CONSOLE_STAMP, { force: true });
  await bundleConsole();
  writeFileSync(CONSOLE_STAMP, digest);
};

const ensureProgram = async () => {
  if (programIsFresh()) return;
  const files = sources();
  const digest = sourceDigest(files);
  rmSync(STAMP, { force: true });
  clearDist(files);
  await compile();
  requireIncluded(files);
  writeFileSync(STAMP, stampOf(digest));
};

/** Compiles the changed sources into dist, and bundles the console meanwhile. */
export const ensureBuild = async () => {
  if (buildIsFresh()) return;
  printLine('Building…');
  const results = await Promise.allSettled([ensureProgram(), ensureConsole()]);
  const failed = results.find(({ status }) => status === 'rejected');
  if (failed) throw failed.reason;
};
