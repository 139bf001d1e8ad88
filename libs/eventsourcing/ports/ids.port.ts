/** The only source of identifiers. */
export interface Ids {
  /** A UUIDv7: time-ordered, growing within a millisecond too, with fresh random bits in each. */
  next(): string;
  /** A UUIDv8 from an HMAC under `key` of the parts: the same parts give the same id, and nobody without the key can tell which. */
  derived(key: Uint8Array, ...parts: readonly string[]): string;
}
