import { execFile } from 'node:child_process';
import { chmodSync, cpSync, lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { copyFromContext } from './build-context.js';
import { copyOf, type Copy, type Dockerfile, type Stage } from './dockerfile.js';

const isRoot = process.getuid?.() === 0;

/** Maps a stage to the folder that is its root. */
type Roots = (stage: string) => string;

/**
 * Runs the steps of a Dockerfile in an empty folder, as a container engine does. The root of each stage is a
 * folder. Base images are not used: Node and npm are those of this machine. Returns the last stage's root.
 */
export const runDockerfile = async ({ stages }: Dockerfile, folder: string): Promise<string> => {
  const roots: Roots = (stage) => join(folder, stage);
  const last = stages.at(-1);
  if (!last) throw new Error('the Dockerfile has no stage');
  // The stages before the last one are independent.
  await Promise.all(stages.slice(0, -1).map((stage) => runStage(stage, roots)));
  await runStage(last, roots);
  return roots(last.name);
};

const runStage = async ({ name: stage, instructions }: Stage, roots: Roots): Promise<void> => {
  const root = roots(stage);
  let directory = '/';
  mkdirSync(root, { recursive: true });
  for (const { name, text } of instructions) {
    if (name === 'WORKDIR') {
      directory = resolve(directory, text);
      mkdirSync(join(root, directory), { recursive: true });
    } else if (name === 'COPY') copy(copyOf(text), join(root, directory), root, roots);
    else if (name === 'RUN') await runStep(text, join(root, directory));
    else if (!METADATA_INSTRUCTIONS.has(name)) throw new Error(`this step needs a container engine: ${name} ${text}`);
  }
};

/** Instructions that change no file. */
const METADATA_INSTRUCTIONS: ReadonlySet<string> = new Set(['ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'ENTRYPOINT', 'CMD']);

const copy = ({ from, chmod, chown, sources, to }: Copy, directory: string, root: string, roots: Roots): void => {
  const target = to.startsWith('/') ? join(root, to) : join(directory, to);
  for (const source of sources) {
    const place = to.endsWith('/') ? join(target, basename(source)) : target;
    if (from === undefined) copyFromContext(source, place);
    else cpSync(join(roots(from), source), place, { recursive: true, verbatimSymlinks: true });
    if (chmod !== undefined) chmodSync(place, Number.parseInt(chmod, 8));
    if (chown !== undefined) changeOwner(place, chown);
  }
};

/** Changes the owner of a tree. Only root can, otherwise the current user stays the owner. */
const changeOwner = (path: string, owner: string): void => {
  const [uid = 0, gid = 0] = owner.split(':').map(Number);
  if (!isRoot) return;
  for (const entry of ['', ...readdirSync(path, { recursive: true, encoding: 'utf8' })]) lchownSync(join(path, entry), uid, gid);
};

/** The environment of steps, without the variables that npm set for this test. */
const environment = (): NodeJS.ProcessEnv => {
  const { PATH = '', npm_config_cache: cache } = process.env;
  const others = Object.entries(process.env).filter(([name]) => !/^(npm_|NODE_)/i.test(name));
  return {
    ...Object.fromEntries(others),
    ...(cache !== undefined && { npm_config_cache: cache }),
    PATH: [dirname(process.execPath), PATH].join(delimiter),
    npm_config_prefer_offline: 'true',
    npm_config_audit: 'false',
    npm_config_update_notifier: 'false',
  };
};

const runStep = async (command: string, cwd: string): Promise<void> => {
  await promisify(execFile)('sh', ['-c', `umask 022; ${command}`], { cwd, env: environment() });
};

/** Removes all write permissions of a tree, as a read-only root does. */
export const makeReadOnly = async (folder: string): Promise<void> => {
  await promisify(execFile)('chmod', ['-R', 'a-w', folder]);
};

/** The size of the files of a tree in bytes. */
export const bytesUnder = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
