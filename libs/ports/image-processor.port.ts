/** The media types that images are stored in. */
export type ImageMediaType = 'image/jpeg' | 'image/png' | 'image/webp';

/** An image without metadata, with its orientation applied. */
export type NormalizedImage = {
  readonly bytes: Uint8Array;
  readonly mediaType: ImageMediaType;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
};

/** Why a file is not accepted: its type is not supported, it cannot be decoded, or it has more than 40 million pixels. */
export type ImageFault = 'not_an_image' | 'broken_image' | 'too_many_pixels';

/** Requests a stored image in another size or type. `key` identifies the image. If `width` is null, the width does not change. */
export type RenditionRequest = { readonly key: string; readonly width: number | null; readonly mediaType: ImageMediaType };

/** The bytes of a rendition, and their digest: SHA-256, base64url. */
export type Rendition = { readonly bytes: Uint8Array; readonly digest: string };

/**
 * Decodes and encodes images outside this process. One call runs at a time, and the other calls wait. A call rejects with
 * ImagesBusy if too many calls wait, or if the call itself waits or runs too long.
 */
export abstract class ImageProcessor {
  /**
   * Decodes a file, and detects its type from its content. Applies the orientation, removes all metadata and encodes the
   * image again in the same type. Only the first frame of an animation is kept. Once the promise resolves, the caller may
   * overwrite `file`.
   */
  abstract normalize(file: Uint8Array): Promise<NormalizedImage | { readonly fault: ImageFault }>;
  /**
   * Returns a stored image in another type, or with another width, or both. Images are never enlarged. Recent renditions are
   * cached. `read` returns the stored image, and is called only if the rendition is not cached.
   */
  abstract rendition(request: RenditionRequest, read: () => Promise<Uint8Array>): Promise<Rendition>;
}

/** Thrown when an image cannot be processed in time. The caller can try again later. */
export class ImagesBusy extends Error {
  override readonly name = 'ImagesBusy';
}
