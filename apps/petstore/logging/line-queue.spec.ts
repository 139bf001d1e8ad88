import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { LineQueue } from './line-queue.js';
import type { Output, WriteCallback } from './output.js';

/** Creates an output whose writes complete when the test calls `complete` or `fail`. */
const manualOutput = () => {
  const written: Uint8Array[] = [];
  const pending: { readonly bytes: Uint8Array; readonly done: WriteCallback }[] = [];
  const output: Output = {
    write: (bytes, done) => void pending.push({ bytes, done }),
    writeNow(bytes) {
      written.push(bytes);
      return bytes.length;
    },
  };
  return {
    output,
    text: () => Buffer.concat(written).toString(),
    writes: () => pending.length,
    complete: (limit = Infinity) => {
      const { bytes, done } = pending.shift() ?? { bytes: new Uint8Array(), done: () => undefined };
      const part = bytes.subarray(0, limit);
      written.push(part);
      done(null, part.length);
    },
    fail: (code: string) => {
      pending.shift()?.done(Object.assign(new Error(code), { code }), 0);
    },
  };
};

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const setUp = (limit = 100) => {
  const manual = manualOutput();
  const clock = manualClock();
  const queue = new LineQueue({
    output: manual.output,
    after: (milliseconds, work) => void clock.after(milliseconds, work),
    onSpace: (dropped) => queue.write(`dropped ${dropped}\n`),
    limit,
  });
  return { ...manual, clock, queue };
};

describe('LineQueue', () => {
  it('writes the lines of one turn together, in order', async () => {
    const { queue, complete, text, writes } = setUp();
    for (const line of ['a\n', 'b\n', 'c\n']) queue.write(line);
    await nextTurn();
    expect(writes()).toBe(1);
    complete();
    expect(text()).toBe('a\nb\nc\n');
    expect(queue.isEmpty()).toBe(true);
  });

  it('continues at the byte where the output stopped', async () => {
    const { queue, complete, text } = setUp();
    queue.write('grün\n');
    queue.write('blue\n');
    await nextTurn();
    complete(3);
    complete();
    expect(text()).toBe('grün\nblue\n');
  });

  it('drops lines beyond the limit, and writes their number when half of the space is free', async () => {
    const { queue, complete, text } = setUp();
    queue.write(`${'x'.repeat(89)}\n`);
    await nextTurn();
    for (let n = 0; n < 7; n++) queue.write('0123456789\n');
    complete();
    await nextTurn();
    complete();
    expect(text()).toBe(`${'x'.repeat(89)}\ndropped 7\n`);
    expect(queue.droppedLines()).toBe(7);
    queue.write('after\n');
    await nextTurn();
    complete();
    expect(text()).toMatch(/dropped 7\nafter\n$/);
  });

  it.each([
    ['EAGAIN', 50],
    ['ENOSPC', 1_000],
    ['EPIPE', 1_000],
    ['EIO', 1_000],
  ])('retries after %s in %d ms', async (code, milliseconds) => {
    const { queue, complete, fail, text, writes, clock } = setUp();
    queue.write('a\n');
    await nextTurn();
    fail(code);
    queue.write('b\n');
    await nextTurn();
    clock.advance(milliseconds - 1);
    expect(writes()).toBe(0);
    clock.advance(1);
    complete();
    complete();
    expect(text()).toBe('a\nb\n');
  });

  it('retries later when the output reports no error but wrote nothing', async () => {
    const { queue, complete, writes, clock, text } = setUp();
    queue.write('a\n');
    await nextTurn();
    complete(0);
    expect(writes()).toBe(0);
    clock.advance(50);
    complete();
    expect(text()).toBe('a\n');
  });

  it.each([
    ['a chunk that failed and the waiting lines', true, 'a\nb\n'],
    ['the waiting lines, but not the chunk of a running write', false, 'b\n'],
  ])('writes at the end of the process %s', async (_, hasFailed, expected) => {
    const { queue, fail, text } = setUp();
    queue.write('a\n');
    await nextTurn();
    queue.write('b\n');
    if (hasFailed) fail('EAGAIN');
    queue.writeNow();
    expect(text()).toBe(expected);
  });
});
