import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { watchDescriptors } from './descriptor-watch.js';

/** Proves contract 25.1. */
describe('a process without a free file descriptor', () => {
  it('logs that once, and once that descriptors are free again', () => {
    const clock = manualClock();
    const lines: string[] = [];
    const at =
      (level: string) =>
      (fields: object): void =>
        void lines.push(`${level} ${JSON.stringify(fields)}`);
    const log = { info: at('info'), warn: at('warn'), error: at('error') };
    let code: string | null = null;
    const end = watchDescriptors(clock, log, () => {
      if (code !== null) throw Object.assign(new Error(code), { code });
    });
    code = 'EMFILE';
    for (let second = 0; second < 5; second++) clock.advance(1_000);
    expect(lines).toEqual(['error {"code":"EMFILE"}']);
    code = 'EACCES';
    for (let second = 0; second < 5; second++) clock.advance(1_000);
    expect(lines.slice(1)).toEqual(['info {}']);
    end();
    code = 'ENFILE';
    clock.advance(1_000);
    expect(lines).toHaveLength(2);
  });
});
