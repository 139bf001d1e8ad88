import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { runPart } from './child.mjs';
import { dependencyDigest } from './dependencies.mjs';
import { NODE, ROOT, Refusal, inRoot, readJson, say } from './workspace.mjs';

const STAMP = inRoot('dist', '.build-stamp');
const COMPILER_NOTES = inRoot('dist', '.tsbuildinfo');
const CONFIGURATIONS = ['tsconfig.json', 'tsconfig.build.json'];

/** Every file under a folder of the repository, or that file itself, as paths from its root with forward slashes. */
const filesUnder = (folder) => {
  if (!existsSync(inRoot(folder))) return [];
  if (statSync(inRoot(folder)).isFile()) return [folder];
  return readdirSync(inRoot(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, `${entry.parentPath ?? entry.path}${sep}${entry.name}`).replaceAll(sep, '/'));
};

/** The sources of the product, as tsconfig.build.json names them: no specs, no test tools. */
const sources = () => {
  const { include, exclude } = readJson('tsconfig.build.json');
  // A pattern there is either the end of names anywhere, or a folder.
  const isExcluded = (file) =>
    exclude.some((pattern) => (pattern.startsWith('**/*') ? file.endsWith(pattern.slice('**/*'.length)) : file.startsWith(`${pattern}/`)));
  return include
    .flatMap(filesUnder)
    .filter((file) => file.endsWith('.ts') && !isExcluded(file))
    .sort();
};

/** What dist holds: the source of each file, and the file. */
const outputs = () =>
  filesUnder('dist')
    .filter((file) => /\.js(\.map)?$/.test(file))
    .map((file) => [file.replace(/^dist\//, '').replace(/\.js(\.map)?$/, '.ts'), file]);

const outputOf = (source) => inRoot('dist', source.replace(/\.ts$/, '.js'));

const sourceDigest = (files) => {
  const hash = createHash('sha256').update(dependencyDigest());
  for (const file of [...CONFIGURATIONS, ...files]) {
    const text = readFileSync(inRoot(file));
    hash.update(`${file} ${text.length} `).update(text);
  }
  return hash.digest('hex');
};

/**
 * What was compiled, and what the compiler noted then. Whatever else compiles into dist, as `nest build` does, writes other
 * notes: were only the sources looked at, dist would pass for theirs once they are changed back.
 */
const stampOf = (digest) => {
  const notes = existsSync(COMPILER_NOTES) ? readFileSync(COMPILER_NOTES) : '';
  return `${digest} ${createHash('sha256').update(notes).digest('hex')}`;
};

const isStamped = (digest) => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === stampOf(digest);

/** What was compiled from a source that is gone would still be found by an import that should fail. */
const removeOrphans = (files) => {
  for (const [source, file] of outputs()) {
    if (files.includes(source)) continue;
    rmSync(inRoot(file));
    // Should an import still reach it, the compiler has to write it again.
    if (existsSync(inRoot(source))) rmSync(COMPILER_NOTES, { force: true });
  }
};

/** What the compiler took along by an import would change unseen. */
const refuseUnnamed = (files) => {
  const unnamed = outputs().find(([source]) => !files.includes(source));
  if (unnamed) throw new Refusal(`${unnamed[0]} is compiled, and tsconfig.build.json does not include it: name it there.`);
};

const compile = async () => {
  const compiler = inRoot('node_modules', 'typescript', 'bin', 'tsc');
  const { code } = await runPart(NODE, [compiler, '-p', 'tsconfig.build.json', '--pretty', String(process.stderr.isTTY === true)], {
    stdio: ['ignore', process.stderr, process.stderr],
  });
  if (code !== 0) throw new Refusal('The sources do not compile: the compiler says above why.');
};

/** Whether dist holds what today's sources compile to. */
export const buildIsFresh = () => {
  const files = sources();
  return isStamped(sourceDigest(files)) && files.every((file) => existsSync(outputOf(file)));
};

/** Removes from dist what would mislead a compiler, or what it leaves there although its source is gone. */
export const clearDist = (files = sources()) => {
  // The compiler trusts its notes, not the folder: it would not write again what somebody deleted.
  if (!files.every((file) => existsSync(outputOf(file)))) rmSync(COMPILER_NOTES, { force: true });
  removeOrphans(files);
};

/** Brings dist to what the sources say; only what changed is compiled. */
export const ensureBuild = async () => {
  if (buildIsFresh()) return;
  say('Building…');
  const files = sources();
  const digest = sourceDigest(files);
  rmSync(STAMP, { force: true });
  clearDist(files);
  await compile();
  refuseUnnamed(files);
  writeFileSync(STAMP, stampOf(digest));
};
