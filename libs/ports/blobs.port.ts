/** A stretch of bytes kept apart from the log and the read models: an image. */
export type Blob = {
  /** Its bytes, piece by piece; to be read once. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly length: number;
  readonly mediaType: string;
};

/** Where images lie. What is put under an id never changes. */
export interface Blobs {
  /** Keeps it, durable when it answers, whole or not at all. Asking again with the same id does no harm: the first stays. */
  put(id: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  /** Null when there is none. */
  get(id: string): Promise<Blob | null>;
  /** Removes it; what is not there does no harm. */
  delete(id: string): Promise<void>;
}
