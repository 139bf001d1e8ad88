/** The only source of identifiers. */
export abstract class Ids {
  /** Returns a UUIDv7. Ids are ordered by time, and ascend within a millisecond. Each id has new random bits. */
  abstract next(): string;
  /**
   * Returns a UUIDv8 from an HMAC of the parts under `key`. The same parts give the same id. Without the key, nobody can
   * derive the id or trace it to its parts.
   */
  abstract derived(key: Uint8Array, ...parts: readonly string[]): string;
}
