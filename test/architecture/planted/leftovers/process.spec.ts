import { it } from '@jest/globals';
import { spawn } from 'node:child_process';

it('passes, and leaves an orphaned process running', () => {
  // The spec of the leftovers ends the process.
  spawn('sh', ['-c', 'sleep 600 &'], { stdio: 'ignore', detached: true }).unref();
});
