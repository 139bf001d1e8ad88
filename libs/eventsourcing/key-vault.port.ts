/** Where keys live, apart from what they protect. Keys are 32 random bytes, made on first asking, durable when answered. */
export interface KeyVault {
  /** A key of the service's own, by name: `idempotency`, `token-signing`. */
  serviceKey(name: string): Promise<Uint8Array>;
  /** The key of one person. Null when it was destroyed: what it sealed is gone for good. */
  personalKey(subject: string): Promise<Uint8Array | null>;
  /** Destroys a person's key. Asking twice does no harm; a key is never made again for that subject. */
  destroyPersonalKey(subject: string): Promise<void>;
}
