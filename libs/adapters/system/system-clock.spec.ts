import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const CLOCK = fileURLToPath(new URL('system-clock.ts', import.meta.url));

describe('the system clock', () => {
  it('does not keep the process alive while it waits', async () => {
    const program = `import { systemClock } from ${JSON.stringify(CLOCK)}; systemClock.after(3_600_000, () => {}); console.log('waiting');`;
    // Node runs the TypeScript sources directly. If the timer kept the process alive, the test would time
    // out.
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--input-type=module', '-e', program]);
    expect(stdout).toBe('waiting\n');
  });
});
