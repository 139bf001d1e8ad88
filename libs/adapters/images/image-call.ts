import type { ImageFault, ImageMediaType } from '../../ports/image-processor.port.js';

/** A call for the image process, sent as a message. The image file follows on the standard input. */
export type ImageCall = {
  /** The size of the file. */
  readonly bytes: number;
  /** The type to encode the image in. */
  readonly mediaType: ImageMediaType;
  /**
   * The largest width and height in pixels. The image keeps its proportions and is never enlarged. A call for an upload has
   * no `fit`: the image keeps its size, and its pixels are rotated as the orientation in its metadata says.
   */
  readonly fit?: { readonly width: number; readonly height?: number };
};

/** The answer of the image process. After `encoded`, the process writes the image to its standard output: `bytes` bytes. */
export type ImageAnswer =
  | { readonly kind: 'encoded'; readonly bytes: number; readonly width: number; readonly height: number }
  | { readonly kind: 'fault'; readonly fault: Exclude<ImageFault, 'not_an_image'>; readonly reason: string };
