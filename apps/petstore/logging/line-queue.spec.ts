import { describe, expect, it } from '@jest/globals';
import { manualClock } from '../../../libs/eventsourcing/testing/manual-clock.js';
import { LineQueue } from './line-queue.js';
import type { Output, WriteCallback } from './output.js';

/** An output that takes what it is told to take, when it is told. */
const heldOutput = () => {
  const taken: Uint8Array[] = [];
  const pending: { readonly bytes: Uint8Array; readonly done: WriteCallback }[] = [];
  const output: Output = {
    write: (bytes, done) => void pending.push({ bytes, done }),
    writeNow(bytes) {
      taken.push(bytes);
      return bytes.length;
    },
  };
  return {
    output,
    text: () => Buffer.concat(taken).toString(),
    writes: () => pending.length,
    take: (most = Infinity) => {
      const { bytes, done } = pending.shift() ?? { bytes: new Uint8Array(), done: () => undefined };
      const part = bytes.subarray(0, most);
      taken.push(part);
      done(null, part.length);
    },
    refuse: (code: string) => {
      pending.shift()?.done(Object.assign(new Error(code), { code }), 0);
    },
  };
};

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

const setUp = (most = 100) => {
  const held = heldOutput();
  const clock = manualClock();
  const queue = new LineQueue({
    output: held.output,
    after: (milliseconds, work) => void clock.after(milliseconds, work),
    onRoom: (dropped) => queue.write(`dropped ${dropped}\n`),
    limit: most,
  });
  return { ...held, clock, queue };
};

describe('lines on their way to an output', () => {
  it('of one turn go out in one write, in their order', async () => {
    const { queue, take, text, writes } = setUp();
    for (const line of ['a\n', 'b\n', 'c\n']) queue.write(line);
    await nextTurn();
    expect(writes()).toBe(1);
    take();
    expect(text()).toBe('a\nb\nc\n');
    expect(queue.isEmpty()).toBe(true);
  });

  it('go on where the output stopped, to the byte', async () => {
    const { queue, take, text } = setUp();
    queue.write('grün\n');
    queue.write('blue\n');
    await nextTurn();
    take(3);
    take();
    expect(text()).toBe('grün\nblue\n');
  });

  it('are dropped beyond the limit, and their count is written once half of it is free', async () => {
    const { queue, take, text } = setUp();
    queue.write(`${'x'.repeat(89)}\n`);
    await nextTurn();
    for (let n = 0; n < 7; n++) queue.write('0123456789\n');
    take();
    await nextTurn();
    take();
    expect(text()).toBe(`${'x'.repeat(89)}\ndropped 7\n`);
    queue.write('after\n');
    await nextTurn();
    take();
    expect(text()).toMatch(/dropped 7\nafter\n$/);
  });

  it.each([
    ['EAGAIN', 50],
    ['ENOSPC', 1_000],
    ['EPIPE', 1_000],
    ['EIO', 1_000],
  ])('wait after %s for %d ms and are written then', async (code, milliseconds) => {
    const { queue, take, refuse, text, writes, clock } = setUp();
    queue.write('a\n');
    await nextTurn();
    refuse(code);
    queue.write('b\n');
    await nextTurn();
    clock.advance(milliseconds - 1);
    expect(writes()).toBe(0);
    clock.advance(1);
    take();
    take();
    expect(text()).toBe('a\nb\n');
  });

  it('are tried again later when the output took nothing and said no error', async () => {
    const { queue, take, writes, clock, text } = setUp();
    queue.write('a\n');
    await nextTurn();
    take(0);
    expect(writes()).toBe(0);
    clock.advance(50);
    take();
    expect(text()).toBe('a\n');
  });

  it.each([
    ['what was refused and what waits', true, 'a\nb\n'],
    ['not what is being written already', false, 'b\n'],
  ])('are written at once at the end of the process: %s', async (_, isRefused, written) => {
    const { queue, refuse, text } = setUp();
    queue.write('a\n');
    await nextTurn();
    queue.write('b\n');
    if (isRefused) refuse('EAGAIN');
    queue.writeNow();
    expect(text()).toBe(written);
  });
});
