import { describe, expect, it } from '@jest/globals';
import { ImageQueue, type CallKind } from './image-queue.js';

/** Proves contract 37.2. */
describe('images that wait to be processed', () => {
  /** Starts calls of these kinds while another call runs. Returns the order in which they run. */
  const orderOf = async (kinds: readonly CallKind[]): Promise<readonly string[]> => {
    const queue = new ImageQueue();
    const { promise: first, resolve } = Promise.withResolvers<void>();
    const order: string[] = [];
    const calls = [
      queue.run('read', () => first),
      ...kinds.map((kind, at) => queue.run(kind, async () => void order.push(`${kind} ${at}`))),
    ];
    resolve();
    await Promise.all(calls);
    return order;
  };

  it('are processed one at a time, uploads before reads, and each kind in order', async () =>
    expect(await orderOf(['read', 'upload', 'read', 'upload'])).toEqual(['upload 1', 'upload 3', 'read 0', 'read 2']));

  it('are processed even after another image has failed', async () => {
    const queue = new ImageQueue();
    await expect(queue.run('upload', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await queue.run('read', async () => 'next')).toBe('next');
  });

  it('are rejected while 32 images wait for the same kind of call, upload or read', async () => {
    const queue = new ImageQueue();
    const { promise: first, resolve } = Promise.withResolvers<void>();
    const waiting = Array.from({ length: 33 }, () => queue.run('read', () => first));
    await expect(queue.run('read', async () => undefined)).rejects.toMatchObject({ name: 'ImagesBusy' });
    const upload = queue.run('upload', async () => 'uploaded');
    resolve();
    expect(await upload).toBe('uploaded');
    await Promise.all(waiting);
  });
});
