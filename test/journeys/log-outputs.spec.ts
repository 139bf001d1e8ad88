import { describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { unreadPipe } from '../servers/outputs.js';
import { open, startWithOutputs, sendReadsAndWrites } from './log-outputs.js';

type Line = { readonly msg: string; readonly dropped?: number; readonly method?: string };

/** Proves contract 25.5. */
describe('a log that is not read for a while', () => {
  it('contains the buffered lines and the number of dropped lines', async () => {
    const output = open(unreadPipe);
    const { service, call } = await startWithOutputs('debug', { stderr: output.target });
    // 6,000 lines of more than 300 bytes exceed the pipe (64 KiB) and the queue (1 MiB), so some lines are dropped.
    expect(await sendReadsAndWrites(call, 6_000)).toEqual([200, 201]);

    let text = '';
    const linesSoFar = (): readonly Line[] =>
      text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line);
    const notice = await eventually('the number of dropped lines', () => {
      text += output.read();
      return linesSoFar().find(({ dropped }) => dropped !== undefined);
    });
    const requests = linesSoFar().filter(({ msg }) => msg === 'request').length;
    expect(requests + (notice.dropped ?? 0)).toBe(6_000);
    expect(await sendReadsAndWrites(call, 20)).toEqual([200, 201]);
    await eventually('new lines', () => {
      text += output.read();
      return linesSoFar().filter(({ msg }) => msg === 'request').length === requests + 20;
    });
    service.signal('SIGTERM');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    text += output.read();
    expect(linesSoFar().at(-1)?.msg).toBe('stopped');
  });
});
