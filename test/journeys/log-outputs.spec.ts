import { describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.js';
import { unreadPipe } from '../servers/outputs.js';
import { open, startStore, useStore } from './log-outputs.js';

type Line = { readonly msg: string; readonly dropped?: number; readonly method?: string };

/** Proves contract 25.5. */
describe('a log that is not read for a while', () => {
  it('contains the buffered lines and the number of dropped lines', async () => {
    const output = open(unreadPipe);
    const { store, call } = await startStore('debug', { stderr: output.target });
    // A pipe holds 64 KiB, the queue 1 MiB, and each of these lines has more than 300 bytes.
    expect(await useStore(call, 6_000)).toEqual([200, 201]);

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
    expect(await useStore(call, 20)).toEqual([200, 201]);
    await eventually('new lines', () => {
      text += output.read();
      return linesSoFar().filter(({ msg }) => msg === 'request').length === requests + 20;
    });
    store.signal('SIGTERM');
    expect(await store.ended).toEqual({ code: 0, signal: null });
    text += output.read();
    expect(linesSoFar().at(-1)?.msg).toBe('stopped');
  }, 60_000);
});
