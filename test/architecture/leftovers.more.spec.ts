import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ROOT } from '../servers/program.js';

const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const PLANTED = 'test/architecture/planted/leftovers';

let said = '';

beforeAll(() => {
  // One after the other in one process, as suites run: each is blamed for its own remains only.
  const args = [JEST, '--runInBand', '--testPathIgnorePatterns', '/node_modules/', '--testPathPatterns', PLANTED];
  const { stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, TMPDIR: newFolder() } });
  said = stderr;
});
afterAll(removeFolders);

/** What jest says of one planted suite, its name excluded. */
const saidOf = (name: string): string => said.split(/^(?=PASS|FAIL)/m).find((part) => part.includes(`${name}.spec.ts`)) ?? '';

describe('a suite that passes', () => {
  it('fails all the same when it leaves a temporary folder behind', () => {
    expect(saidOf('folder')).toMatch(/^FAIL[^]*left behind:\n\s+- the temporary folder forgotten-/);
  });

  it('fails when it leaves a port open', () => {
    expect(saidOf('port')).toMatch(/^FAIL[^]*left behind:\n\s+- the open port \d+/);
  });

  it('fails when it leaves a process behind, also one whose parent is gone', () => {
    expect(saidOf('process')).toMatch(/^FAIL[^]*left behind:\n\s+- the process \d+: sleep 20/);
  });

  it('passes when it left nothing', () => {
    expect(saidOf('tidy')).toMatch(/^PASS/);
  });
});
