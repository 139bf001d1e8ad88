import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Call, JsonResponse } from '../servers/calling.js';
import { BOUNDARY, noisyImage, plainImage, taggedImage, uploadOf, type Part } from './image-files.js';

/** A hostile upload: its request, and the allowed response statuses. The stored image must contain none of the `canaries`. */
export type HostileUpload = {
  readonly name: string;
  readonly parts: readonly Part[];
  readonly boundary?: string;
  /** Sent instead of the body that `parts` would make. */
  readonly raw?: Buffer;
  readonly contentType?: string;
  readonly statuses: readonly number[];
  readonly canaries?: readonly string[];
};

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert("canary-svg")</script></svg>';
const HTML = '<!doctype html><script>alert("canary-html")</script>';

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
};

/** A grey PNG with one bit for each pixel. Its header claims this width and height. `rows` is the data of its pixels. */
const pngOf = (width: number, height: number, rows: Buffer): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([PNG, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
};

/** Inserts chunks after the header of a PNG. */
const withChunks = (png: Buffer, ...chunks: readonly Buffer[]): Buffer => Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

/** Inserts a segment after the start of a JPEG. */
const withSegment = (jpeg: Buffer, marker: number, data: string): Buffer => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(data.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff, marker]), length, Buffer.from(data, 'latin1'), jpeg.subarray(2)]);
};

/** A JPEG whose header claims 65,535 by 65,535 pixels. */
const largeJpeg = (jpeg: Buffer): Buffer => {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.fill(0xff, frame + 5, frame + 9);
  return copy;
};

const file = (name: string, content: Uint8Array | string, statuses: readonly number[], canaries?: readonly string[]): HostileUpload => ({
  name,
  parts: [{ name: 'file', filename: 'photo.png', type: 'image/png', content }],
  statuses,
  ...(canaries && { canaries }),
});

/** Files of types that the service does not store, some with the file name of an image. */
const foreignFiles = async (): Promise<readonly HostileUpload[]> => [
  file('a file of no bytes', '', [400]),
  file('a file of one byte', '\xff', [415]),
  file('an SVG image named .png', SVG, [415]),
  file('an SVG image that reads a local file', `<!DOCTYPE s [<!ENTITY x SYSTEM "file:///etc/passwd">]>${SVG.replace('9', '&x;')}`, [415]),
  file('an HTML page named .png', HTML, [415]),
  file(
    'an animated GIF',
    await sharp(await plainImage('png', 9, 9))
      .gif()
      .toBuffer(),
    [415],
  ),
  file(
    'an AVIF image',
    await sharp(await plainImage('png', 64, 64))
      .avif()
      .toBuffer(),
    [415],
  ),
  file(
    'a TIFF image',
    await sharp(await plainImage('png', 9, 9))
      .tiff()
      .toBuffer(),
    [415],
  ),
  file('a PDF', '%PDF-1.7\n1 0 obj\n<<>>\nendobj', [415]),
  file('a ZIP archive', 'PK\x03\x04aaaaaaaaaaaaaaaa', [415]),
  file('a BMP image', `BM${'\0'.repeat(60)}`, [415]),
  file('an icon', `\0\0\x01\0\x01\0${'\0'.repeat(60)}`, [415]),
  file('a program', `\x7fELF${'\0'.repeat(60)}`, [415]),
  file('an ImageMagick script', 'push graphic-context\nviewbox 0 0 9 9\nfill url(https://127.0.0.1/x)', [415]),
];

/** Files that begin like an image but are invalid or incomplete. */
const brokenFiles = async (): Promise<readonly HostileUpload[]> => {
  const [jpeg, png, webp] = [await noisyImage('jpeg', 300, 300), await noisyImage('png', 300, 300), await noisyImage('webp', 300, 300)];
  return [
    file('the first bytes of a JPEG, then HTML', Buffer.concat([jpeg.subarray(0, 4), Buffer.from(HTML)]), [422]),
    file('only the first bytes of a PNG', PNG, [422]),
    file('the first bytes of a PNG, then noise', Buffer.concat([PNG, jpeg]), [422]),
    file('the first bytes of a WebP, then noise', Buffer.concat([Buffer.from('RIFF\xff\xff\xff\xffWEBP', 'latin1'), jpeg]), [422]),
    file('half a JPEG', jpeg.subarray(0, jpeg.length / 2), [422]),
    file('half a PNG', png.subarray(0, png.length / 2), [422]),
    file('half a WebP', webp.subarray(0, webp.length / 2), [422]),
    file('a PNG without width', pngOf(0, 9, Buffer.alloc(9)), [422]),
    file('a PNG that is larger than it says', pngOf(9, 9_000, Buffer.alloc(3)), [422]),
  ];
};

/** Files that would take much memory or time. */
const bombs = async (): Promise<readonly HostileUpload[]> => {
  const png = await plainImage('png', 9, 9);
  const inflated = deflateSync(Buffer.alloc(100_000_000));
  const name = Buffer.from('canary\0\0');
  return [
    file('a bomb of 30,000 by 30,000 pixels', pngOf(30_000, 30_000, Buffer.alloc(30_000 * 3_751)), [422]),
    file('a PNG that says it has 2^62 pixels', pngOf(0x7fffffff, 0x7fffffff, Buffer.alloc(9)), [422]),
    file('a JPEG that says it has 65,535 by 65,535 pixels', largeJpeg(await plainImage('jpeg', 9, 9)), [422]),
    file('a PNG with a text of 100 MB', withChunks(png, chunk('zTXt', Buffer.concat([name, inflated]))), [201, 422]),
    file('a PNG with a profile of 100 MB', withChunks(png, chunk('iCCP', Buffer.concat([name, inflated]))), [201, 422]),
    file('5 MB of delimiters that almost match', '\r\n------petstore-tes'.repeat(250_000), [415]),
  ];
};

/**
 * Valid images that are also a file of another type, or that contain metadata such as a GPS position. The service must store
 * only the picture, without the other file and without the metadata.
 */
const polyglots = async (): Promise<readonly HostileUpload[]> => {
  const [jpeg, png] = [await noisyImage('jpeg', 64, 64), await noisyImage('png', 64, 64)];
  const acTL = Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]);
  const frames = await sharp(Buffer.concat([await sharp(png).raw().toBuffer(), await sharp(png).negate().raw().toBuffer()]), {
    raw: { width: 64, height: 128, channels: 3, pageHeight: 64 },
  })
    .webp({ loop: 0, delay: [100, 100] })
    .toBuffer();
  return [
    file('a JPEG that is a ZIP archive too', Buffer.concat([jpeg, Buffer.from('PK\x03\x04canary-zip')]), [201], ['canary-zip']),
    file('a JPEG that is an HTML page too', Buffer.concat([jpeg, Buffer.from(HTML)]), [201], ['canary-html']),
    file('a JPEG with a program in a comment', withSegment(jpeg, 0xfe, '<?php canary-php'), [201], ['canary-php']),
    file('a JPEG with a damaged profile', withSegment(jpeg, 0xe2, 'ICC_PROFILE\0\x01\x01canary-icc'), [201], ['canary-icc']),
    file('a PNG with a page in a text', withChunks(png, chunk('tEXt', Buffer.from(`Comment\0${HTML}`))), [201], ['canary-html']),
    file('a PNG with animation', withChunks(png, chunk('acTL', acTL)), [201], ['acTL']),
    file('an animated WebP', frames, [201], ['ANIM', 'ANMF']),
    file('a JPEG with the position of the photo', await taggedImage(), [201], ['CanaryCam', 'Exif', 'GPS']),
    file('a JPEG in CMYK', await sharp(jpeg).toColourspace('cmyk').jpeg().toBuffer(), [201]),
  ];
};

/** Bodies that try to trick the parser of multipart/form-data. */
const tricks = async (): Promise<readonly HostileUpload[]> => {
  const image: Part = { name: 'file', filename: 'a.jpg', content: await plainImage('jpeg', 9, 9) };
  const { raw } = uploadOf([image]);
  const withHeader = (header: string): Buffer => Buffer.from(raw.toString('latin1').replace('\r\n\r\n', `\r\n${header}\r\n\r\n`), 'latin1');
  const long = 'b'.repeat(252);
  return [
    { name: 'a part named __proto__', parts: [image, { name: '__proto__', content: 'x' }], statuses: [400] },
    { name: 'a part named constructor', parts: [image, { name: 'constructor', content: 'x' }], statuses: [400] },
    { name: 'a part without a name', parts: [image, { content: 'x' }], statuses: [400] },
    { name: 'a part with the header __proto__', parts: [], raw: withHeader('__proto__: x'), statuses: [201, 400] },
    { name: 'a part with 10,000 headers', parts: [], raw: withHeader('X-A: b\r\n'.repeat(10_000).trim()), statuses: [201, 400] },
    { name: 'a part with a header of 60 KB', parts: [], raw: withHeader(`X-A: ${'b'.repeat(60_000)}`), statuses: [201, 400] },
    { name: '5,000 parts', parts: Array.from({ length: 5_000 }, () => ({ name: 'a', content: '' })), statuses: [400] },
    { name: '5,000 files', parts: Array.from({ length: 5_000 }, () => image), statuses: [400, 413] },
    { name: 'a part without end', parts: [], raw: raw.subarray(0, -20), statuses: [400] },
    { name: 'a body of nothing but a boundary', parts: [], raw: Buffer.from('------petstore-test\r\n'), statuses: [400] },
    { name: 'a boundary of 252 characters', parts: [image], boundary: long, statuses: [201, 400] },
    { name: 'a body that never has its boundary', parts: [], raw: Buffer.alloc(1_000_000, 'x'), statuses: [400] },
    { name: 'no boundary in the type', parts: [image], contentType: 'multipart/form-data', statuses: [400] },
    { name: 'an empty boundary', parts: [image], contentType: 'multipart/form-data; boundary=""', statuses: [400] },
    { name: 'a file name that leaves the folder', parts: [{ ...image, filename: '../../../../tmp/escaped.png' }], statuses: [201] },
    { name: 'a file name with a null byte', parts: [{ ...image, filename: 'a.png\0.html' }], statuses: [201, 400] },
    {
      name: 'a text that is not UTF-8',
      parts: [image, { name: 'additionalMetadata', content: Buffer.from([0xff, 0xfe]) }],
      statuses: [400],
    },
    { name: 'a text of 1 MB', parts: [image, { name: 'additionalMetadata', content: 'x'.repeat(1_000_000) }], statuses: [422] },
  ];
};

/** More than forty hostile uploads. */
export const hostileUploads = async (): Promise<readonly HostileUpload[]> =>
  (await Promise.all([foreignFiles(), brokenFiles(), bombs(), polyglots(), tricks()])).flat();

/** Uploads to a pet. */
export const sendUpload = (call: Call, petId: string, upload: HostileUpload): Promise<JsonResponse> => {
  const { parts, boundary = BOUNDARY, raw = uploadOf(parts, boundary).raw } = upload;
  const headers = { 'content-type': upload.contentType ?? `multipart/form-data; boundary=${boundary}` };
  return call('POST', `/v1/pets/${petId}/images`, { raw, headers });
};
