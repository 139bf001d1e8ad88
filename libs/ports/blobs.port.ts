/** Bytes stored apart from the log and the read models, for example an image. */
export type Blob = {
  /** Its bytes in chunks; can be read once. */
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly length: number;
  readonly mediaType: string;
};

/** Stores images. The bytes of an id never change. */
export interface Blobs {
  /** Stores a blob durably and atomically. A repeat with the same id changes nothing. */
  put(id: string, bytes: Uint8Array, mediaType: string): Promise<void>;
  /** Returns null for an unknown id. */
  get(id: string): Promise<Blob | null>;
  /** Deletes a blob; an unknown id changes nothing. */
  delete(id: string): Promise<void>;
}
