import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the specs that an npm script would run. */
const listed = (script: string, ...names: readonly string[]): readonly string[] => {
  const { stdout } = spawnSync('npm', ['run', '--silent', script, '--', ...names, '--listTests'], { cwd: ROOT, encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((path) => relative(ROOT, path))
    .sort();
};

describe('npm scripts that run a part of the tests', () => {
  it('run only the specs of their folder that match the name', () => {
    expect(listed('test:contract', 'ids')).toEqual(['test/contract/ids.spec.ts']);
  });

  it('run the specs that match any of several names', () => {
    expect(listed('test:contract', 'ids', 'clock')).toEqual(['test/contract/clock.spec.ts', 'test/contract/ids.spec.ts']);
  });

  it('run the whole folder without a name', () => {
    const paths = listed('test:http');
    expect(paths.length).toBeGreaterThan(10);
    expect(paths.filter((path) => !path.startsWith('test/http/'))).toEqual([]);
  });

  it('run specs beside the code as unit tests, in apps and libs', () => {
    const folders = new Set(listed('test:unit').map((path) => path.split('/')[0]));
    expect(folders).toEqual(new Set(['apps', 'libs']));
  });
});
