import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Missing } from '../servers/services/shared.js';

/** A package on PyPI. It contains the schemas of every Kubernetes version from 1.25 to the version of the package. */
const PACKAGE = 'kubernetes-validate==1.37.0';
const INSTALLS_WITHIN = 180_000;

const run = promisify(execFile);

export type KubernetesSchemas = {
  /** Returns a line for each violation of the schemas of a Kubernetes version. */
  readonly violations: (version: string, files: readonly string[]) => Promise<readonly string[]>;
};

/** Returns the folder in which the package is cached. */
const folder = (): string => join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'petstore', PACKAGE);

const install = async (): Promise<string> => {
  const place = folder();
  if (existsSync(place)) return place;
  const fresh = `${place}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    const quiet = ['--quiet', '--no-input', '--disable-pip-version-check', '--only-binary', ':all:'];
    await run('python3', ['-m', 'pip', 'install', ...quiet, '--target', fresh, PACKAGE], { timeout: INSTALLS_WITHIN });
    renameSync(fresh, place);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // The rename fails if another process has installed the package in the meantime. Then that copy is used.
    if (!existsSync(place)) throw error;
  }
  return place;
};

const outputOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'stdout' in error && 'stderr' in error
    ? `${String(error.stdout)}\n${String(error.stderr)}`
    : String(error);

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Returns the schemas of Kubernetes. If they are missing, returns the reason; if CI=true is set, rejects instead. */
export const kubernetesSchemas = async (): Promise<KubernetesSchemas | Missing> => {
  try {
    const place = await install();
    return {
      violations: async (version, files) => {
        const args = ['-m', 'kubernetes_validate', '--strict', '--quiet', '--kubernetes-version', version, ...files];
        try {
          await run('python3', args, { env: { ...process.env, PYTHONPATH: place } });
          return [];
        } catch (error) {
          return linesOf(outputOf(error));
        }
      },
    };
  } catch (error) {
    if (process.env['CI'] === 'true') throw error;
    return { missing: `${PACKAGE} could not be installed from PyPI: ${linesOf(outputOf(error)).at(-1)}` };
  }
};
