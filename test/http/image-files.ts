import sharp from 'sharp';

/** One part of an upload. Each optional member is written to the part only if it is defined. */
export type Part = { readonly name?: string; readonly filename?: string; readonly type?: string; readonly content: Uint8Array | string };

export const BOUNDARY = '----petstore-test';

/** Builds a body of multipart/form-data byte for byte. */
export const multipart = (parts: readonly Part[], boundary = BOUNDARY): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ name, filename, type, content }) => [
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data`),
      Buffer.from(name === undefined ? '' : `; name="${name}"`),
      Buffer.from(filename === undefined ? '' : `; filename="${filename}"`),
      Buffer.from(type === undefined ? '' : `\r\nContent-Type: ${type}`),
      Buffer.from('\r\n\r\n'),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);

/** The options of a request that uploads these parts. */
export const uploadOf = (parts: readonly Part[], boundary = BOUNDARY) => ({
  raw: multipart(parts, boundary),
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
});

/** The options of a request that uploads a file, and a text about it if there is one. */
export const fileUpload = (file: Uint8Array, additionalMetadata?: string) =>
  uploadOf([
    { name: 'file', filename: 'photo.jpg', type: 'image/jpeg', content: file },
    ...(additionalMetadata === undefined ? [] : [{ name: 'additionalMetadata', content: additionalMetadata }]),
  ]);

/** The smallest PNG: one pixel. */
export const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Type = 'jpeg' | 'png' | 'webp';

/** An image of one colour. */
export const plainImage = (type: Type, width = 800, height = 600): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 90, b: 30 } } })
    .toFormat(type)
    .toBuffer();

/** An image that compresses badly, like a photo. */
export const noisyImage = (type: Type, width: number, height: number): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 3, background: 'grey', noise: { type: 'gaussian', mean: 128, sigma: 40 } } })
    .toFormat(type)
    .toBuffer();

/** A JPEG whose metadata has a GPS position, a camera and an orientation. The orientation turns it, so it is 600 pixels wide. */
export const taggedImage = (): Promise<Buffer> =>
  sharp({ create: { width: 800, height: 600, channels: 3, background: 'green' } })
    .jpeg()
    .withExif({
      IFD0: { Make: 'CanaryCam', ImageDescription: 'canary-description' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer();
