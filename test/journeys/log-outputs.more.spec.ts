import { describe, expect, it } from '@jest/globals';
import { waitUntilIdle } from '../servers/cpu-time.js';
import { BROKEN_OUTPUTS, unreadPipe } from '../servers/outputs.js';
import { open, startWithOutputs, sendReadsAndWrites } from './log-outputs.js';

/** The log levels and broken outputs of the tests. `debug` logs every request, `info` only the writes. */
const AT_LEVELS = [
  ...BROKEN_OUTPUTS.map((output) => ['debug', ...output] as const),
  ['info', 'pipes that are not read', unreadPipe] as const,
];

/** Proves contract 25.5. */
describe('standard output and standard error', () => {
  it.each(AT_LEVELS)('do not block or end the service with LOG_LEVEL %s, on %s', async (level, _, make) => {
    const [stdout, stderr] = [open(make), open(make)];
    const { service, call } = await startWithOutputs(level, { stdout: stdout.target, stderr: stderr.target });
    expect(await sendReadsAndWrites(call, 600)).toEqual([200, 201]);
    expect(await waitUntilIdle(service.pid, 0.2)).toBeLessThanOrEqual(0.2);
    service.signal('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
  });
});
