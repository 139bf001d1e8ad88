import type { ImageMediaType } from '../../ports/image-processor.port.js';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG = Buffer.from([0xff, 0xd8, 0xff]);

/** Returns the type of an image by the first bytes of its file. Returns null for any other file: it is never decoded. */
export const mediaTypeOf = (file: Uint8Array): ImageMediaType | null => {
  const head = Buffer.from(file.buffer, file.byteOffset, Math.min(file.length, 12));
  if (head.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg';
  if (head.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  return head.toString('latin1', 0, 4) === 'RIFF' && head.toString('latin1', 8, 12) === 'WEBP' ? 'image/webp' : null;
};
