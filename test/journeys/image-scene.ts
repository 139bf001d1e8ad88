import { createHash, randomUUID } from 'node:crypto';
import { fileUpload, noisyImage, plainImage } from '../http/image-files.js';
import { caller } from '../servers/calling.js';

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** Images of a pet, as a store shows them. */
export type ImageScene = {
  readonly petId: string;
  /** Two paths for each image: in its original size, and in a smaller one. */
  readonly paths: readonly string[];
  /** The path of an image that was deleted. */
  readonly deletedPath: string;
};

/** Adds a pet with a JPEG and a PNG that takes several chunks in GridFS, and one image that is deleted again. */
export const addImages = async (url: string, token: string): Promise<ImageScene> => {
  const call = caller(url, token);
  const { json } = await call('POST', '/v1/pets', {
    body: { name: 'Posey', species: 'CAT', ageMonths: 3, photos: ['https://example.com/a.jpg'] },
  });
  const petId = String(json['id']);
  const upload = async (file: Buffer): Promise<string> => {
    const { status, text, headers } = await call('POST', `/v1/pets/${petId}/images`, {
      ...fileUpload(file, `metadata ${randomUUID()}`),
      idempotencyKey: randomUUID(),
    });
    if (status !== 201) throw new Error(`the upload returned ${status}: ${text}`);
    return new URL(headers.location ?? '').pathname;
  };
  const paths = [await upload(await plainImage('jpeg')), await upload(await noisyImage('png', 700, 700))];
  const deletedPath = await upload(await plainImage('webp'));
  const deleted = await call('DELETE', deletedPath);
  if (deleted.status !== 204) throw new Error(`the deletion returned ${deleted.status}`);
  return { petId, paths: paths.flatMap((path) => [path, `${path}?width=160`]), deletedPath };
};

/** Returns what a service shows of the images: the photos of the pet, and the tag and the digest of each image. */
export const observeImages = async (url: string, { petId, paths, deletedPath }: ImageScene): Promise<object> => {
  const call = caller(url);
  const { json } = await call('GET', `/v1/pets/${petId}`);
  const images = [];
  for (const path of [...paths, deletedPath]) {
    const { status, headers, bytes } = await call('GET', path);
    images.push({ path, status, etag: status === 200 && headers.etag, digest: status === 200 && digestOf(bytes) });
  }
  return { photos: json['photos'], images };
};
