/** The only source of identifiers. */
export interface Ids {
  /** Returns a UUIDv7: ordered by time, ascending within a millisecond, with new random bits in each. */
  next(): string;
  /**
   * Returns a UUIDv8 from an HMAC of the parts under `key`. The same parts give the same id. Without the key
   * the id cannot be derived or traced.
   */
  derived(key: Uint8Array, ...parts: readonly string[]): string;
}
