import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ROOT } from '../servers/program.js';

const JEST = join(ROOT, 'node_modules', 'jest', 'bin', 'jest.js');
const PLANTED = 'test/architecture/planted/leftovers';

let output = '';

beforeAll(() => {
  // The planted suites run in one process, one after another. Each must be reported only for its own leftovers.
  const args = [JEST, '--runInBand', '--testPathIgnorePatterns', '/node_modules/', '--testPathPatterns', PLANTED];
  const { stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env: { ...process.env, TMPDIR: newFolder() } });
  output = stderr;
});
afterAll(() => {
  const [, pid] = /- the process (\d+): sleep 600/.exec(output) ?? [];
  if (pid !== undefined) process.kill(Number(pid));
  removeFolders();
});

/** Returns jest's output on one planted suite. */
const outputOf = (name: string): string => output.split(/^(?=PASS|FAIL)/m).find((part) => part.includes(`${name}.spec.ts`)) ?? '';

describe('a suite that passes', () => {
  it('fails if it leaves a temporary folder behind', () => {
    expect(outputOf('folder')).toMatch(/^FAIL[^]*left behind:\n\s+- the temporary folder forgotten-/);
  });

  it('fails if it leaves a port open', () => {
    expect(outputOf('port')).toMatch(/^FAIL[^]*left behind:\n\s+- the open port \d+/);
  });

  it('fails if it leaves a process behind, also an orphan', () => {
    expect(outputOf('process')).toMatch(/^FAIL[^]*left behind:\n\s+- the process \d+: sleep 600/);
  });

  it('passes if it leaves nothing behind', () => {
    expect(outputOf('tidy')).toMatch(/^PASS/);
  });
});

describe('a suite that fails', () => {
  it('shows its failure also if it leaves something behind', () => {
    expect(outputOf('failing')).toContain('what the test has found');
    expect(output).toMatch(/left behind:\n\s*- the temporary folder forgotten-/);
  });
});
