import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { createTerminalLines } from './terminal-lines.js';

const TIME = '2026-01-02T03:04:05.678Z';
const REQUEST = { method: 'POST', path: '/v1/pets', status: 201, milliseconds: 3, requestId: 'id', tenant: 't', actor: 'staff' };

const open = (hasColors = false) => {
  const written: string[] = [];
  const clock = manualClock(TIME);
  const lines = createTerminalLines({ write: (line) => void written.push(line) }, { hasColors, clock });
  const log = (fields: object, msg: string) =>
    lines.write(`${JSON.stringify({ level: 30, time: TIME, pid: 7, hostname: 'pets-1', ...fields, msg })}\n`);
  return { written, clock, log };
};

/** A line without its time, which depends on the time zone. */
const textOf = (line: string | undefined): string => line?.replace(/^\[\d\d:\d\d:\d\d\] /, '') ?? '';

/** Proves contract 25.5. */
describe('a log line on a terminal', () => {
  it('is short: the time, the level, the message and its fields, without the process', () => {
    const { written, log } = open();
    log({}, 'stopped');
    log({ url: 'http://127.0.0.1:3000' }, 'started');
    expect(written[0]).toMatch(/^\[\d\d:\d\d:\d\d\] /);
    expect(written.map(textOf)).toEqual(['INFO: stopped\n', 'INFO: started {"url":"http://127.0.0.1:3000"}\n']);
  });

  it('names method, path, status, time and caller of a request', () => {
    const { written, log } = open();
    log(REQUEST, 'request');
    expect(written.map(textOf)).toEqual(['INFO: POST /v1/pets 201 3 ms staff\n']);
  });

  it('has no long fields, such as checkpoints', () => {
    const { written, log } = open();
    log({ checkpoint: { root: 'x'.repeat(200) }, signature: 'y'.repeat(200), index: 1 }, 'checkpoint');
    expect(written.map(textOf)).toEqual([`INFO: checkpoint {"checkpoint":"…","signature":"${'y'.repeat(160)}…","index":1}\n`]);
  });

  it('shows the stack of an error', () => {
    const { written, log } = open();
    log({ level: 50, err: { type: 'Error', message: 'lost', stack: 'Error: lost\n    at here.js:1:1' } }, 'failed');
    expect(textOf(written[0])).toMatch(/^ERROR: failed[^]*\n +Error: lost\n +at here\.js:1:1\n/);
  });

  it('has colors only if the terminal has', () => {
    const [plain, colored] = [open(), open(true)];
    for (const { log } of [plain, colored]) log({}, 'stopped');
    expect([plain.written.join('').includes('\u001b['), colored.written.join('').includes('\u001b[')]).toEqual([false, true]);
  });

  it('contains no control character of a client', () => {
    const { written, log } = open();
    const hostile = '\u001b]0;owned\u0007\u009b2J\r\n[03:04:05] INFO: forged\u202e';
    log({ ...REQUEST, path: hostile, actor: hostile }, 'request');
    log({ id: hostile, err: { type: 'Error', message: hostile, stack: `Error: ${hostile}\n    at here` } }, hostile);
    expect(written).toHaveLength(2);
    expect(written.join('')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(textOf(written[0])).toBe(
      'INFO: POST \\u001b]0;owned\\u0007\\u009b2J\\u000d\\u000a[03:04:05] INFO: forged\\u202e 201 3 ms \\u001b]0;owned\\u0007\\u009b2J\\u000d\\u000a[03:04:05] INFO: forged\\u202e\n',
    );
  });

  it('is one of at most ten about requests in a second; the others are counted', () => {
    const { written, clock, log } = open();
    for (let sent = 0; sent < 10_000; sent++) log(REQUEST, 'request');
    log({}, 'stopped');
    expect(written).toHaveLength(11);
    clock.advance(1_000);
    expect(textOf(written.at(-1))).toBe('INFO: 9990 more requests\n');
    log(REQUEST, 'request');
    expect(textOf(written.at(-1))).toBe('INFO: POST /v1/pets 201 3 ms staff\n');
  });
});
