import { createHash } from 'node:crypto';
import { imageOfBlob } from '../../../../libs/domain/pets/pet-image.js';
import type { Blobs } from '../../../../libs/ports/blobs.port.js';

/**
 * Copies every image that the target lacks. Returns the names of damaged images. Damaged images are copied unchanged, because
 * one damaged image must not prevent every backup (contract 37.10).
 */
export const copyImages = async (from: Blobs, to: Blobs): Promise<readonly string[]> => {
  const damaged: string[] = [];
  for await (const { name } of from.list()) {
    // `blob` is null if the image was removed after it was listed.
    const [blob, copied] = [await from.open(name), await to.open(name)];
    if (!blob || copied) continue;
    const pieces: Uint8Array[] = [];
    for await (const piece of blob.read()) pieces.push(piece);
    const bytes = Buffer.concat(pieces);
    const image = imageOfBlob(name);
    if (image && image.digest !== createHash('sha256').update(bytes).digest('base64url')) damaged.push(name);
    await to.put(name, bytes);
  }
  return damaged;
};

/** Returns a warning that names damaged images, or null if there are none. */
export const damageWarning = (damaged: readonly string[]): string | null =>
  damaged.length === 0
    ? null
    : `These images are damaged, and were copied as they are: ${damaged.join(', ')}. Take them from an older backup, or delete them.`;
