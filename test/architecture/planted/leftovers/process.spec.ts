import { it } from '@jest/globals';
import { spawn } from 'node:child_process';

it('passes, and leaves an orphaned process running', () => {
  // The process ends after 20 seconds, long after this suite is checked for leftovers.
  spawn('sh', ['-c', 'sleep 20 &'], { stdio: 'ignore', detached: true }).unref();
});
