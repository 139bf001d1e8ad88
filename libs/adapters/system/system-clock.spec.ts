import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const CLOCK = fileURLToPath(new URL('system-clock.ts', import.meta.url));

describe('the system clock', () => {
  it('never keeps the process alive: it ends although an hour is still to pass', async () => {
    const program = `import { systemClock } from ${JSON.stringify(CLOCK)}; systemClock.after(3_600_000, () => {}); console.log('waiting');`;
    // Node reads the TypeScript itself; were the timer to hold it, this would wait until the test is given up.
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', program]);
    expect(stdout).toBe('waiting\n');
  });
});
