import { it } from '@jest/globals';
import { spawn } from 'node:child_process';

it('passes, and leaves a process running that its own parent has left', () => {
  // Ends by itself in time for the machine, long after the suite was looked at.
  spawn('sh', ['-c', 'sleep 20 &'], { stdio: 'ignore', detached: true }).unref();
});
