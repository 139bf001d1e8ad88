import { beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { sharpImages } from './sharp-images.js';

const images = sharpImages({ after: (milliseconds, run) => cancelTimer(setTimeout(run, milliseconds)) });
const cancelTimer = (timer: NodeJS.Timeout) => (): void => clearTimeout(timer);

const jpegOf = (progressive: boolean): Promise<Buffer> =>
  sharp({ create: { width: 40, height: 32, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 40 } } })
    .jpeg({ progressive })
    .toBuffer();

/** Proves contract 37.2. */
describe.each([
  ['a JPEG with one scan', false],
  ['a progressive JPEG', true],
])('%s', (_, progressive) => {
  let jpeg: Buffer;
  beforeAll(async () => {
    jpeg = await jpegOf(progressive);
  });

  it('is accepted whole, without its end marker, and without the second byte of it', async () => {
    for (const missing of [0, 1, 2]) {
      const image = await images.normalize(jpeg.subarray(0, jpeg.length - missing));
      expect(image).toMatchObject({ mediaType: 'image/jpeg', width: 40, height: 32 });
    }
  });

  it('is broken if any more of it is missing', async () => {
    for (let missing = 3; missing < jpeg.length - 4; missing++)
      expect([missing, await images.normalize(jpeg.subarray(0, -missing))]).toEqual([missing, { fault: 'broken_image' }]);
  });
});
