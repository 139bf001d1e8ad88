import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { ImageWorker } from '../../libs/adapters/images/image-worker.js';
import { systemClock } from '../../libs/adapters/system/index.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { eventually } from '../eventually.js';

const WEBP = { mediaType: 'image/webp' } as const;

const noise = (width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 50 } } })
    .png({ compressionLevel: 0 })
    .toBuffer();

/** The ids of the image processes that this process has started. */
const childrenOf = (): readonly number[] =>
  execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('image-process'))
    .map((line) => Number(line.trim().split(' ')[0]));

/** The `nice` values of the threads of a process. They are the nineteenth fields of their files (proc(5)). */
const nicesOf = (pid: number): readonly string[] =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const fields = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return fields[16] ?? '';
  });

/** An image that takes a second, and one that takes some milliseconds. */
const [large, small] = [await noise(4_000, 4_000), await noise(30, 20)];

/** Proves contract 37.2. */
describe('the process of the images', () => {
  it('is killed when an image takes too long, and the next image gets a new process', async () => {
    const clock = manualClock();
    const worker = new ImageWorker(clock);
    const rejected = expect(worker.run(large, WEBP)).rejects.toMatchObject({
      name: 'ImagesBusy',
      message: expect.stringContaining('too long') as unknown,
    });
    clock.advance(15_000);
    await rejected;
    expect(await worker.run(small, WEBP)).toMatchObject({ kind: 'encoded', width: 30, height: 20 });
  });

  it('has a low priority in each of its threads, also in those that decode', async () => {
    const worker = new ImageWorker(systemClock);
    const before = new Set(childrenOf());
    await worker.run(small, WEBP);
    const pid = childrenOf().find((child) => !before.has(child)) ?? 0;
    const nices = nicesOf(pid);
    // The code runs in one thread. Node and the decoder start several others.
    expect(nices.length).toBeGreaterThan(5);
    expect(new Set(nices)).toEqual(new Set(['10']));
    process.kill(pid, 'SIGKILL');
  });

  it('may end at any time, and the next image gets a new process', async () => {
    const worker = new ImageWorker(systemClock);
    const before = new Set(childrenOf());
    const call = worker.run(large, WEBP);
    const [pid] = await eventually('the process', () => {
      const started = childrenOf().filter((child) => !before.has(child));
      return started.length > 0 ? started : null;
    });
    // The environment of the process contains no settings of the service.
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('PATH=');
    process.kill(Number(pid), 'SIGKILL');
    await expect(call).rejects.toMatchObject({ name: 'ImagesBusy' });
    expect(await worker.run(small, WEBP)).toMatchObject({ kind: 'encoded', width: 30, height: 20 });
  });
});
