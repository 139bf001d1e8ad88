/** A key that signs access tokens, without its secret. */
export type SigningKey = {
  /** The thumbprint of the public key (RFC 7638). It is the `kid` in the header of tokens. */
  readonly kid: string;
  /** Null for a key from an earlier version of the service, which stored no times. */
  readonly createdAt: Date | null;
};

/** A private key as a JWK (RFC 8037). */
export type PrivateJwk = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly d: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
};

/** The keys that sign access tokens. Only the newest key signs. An older key verifies the tokens that it has signed. */
export interface SigningKeys {
  /** Returns the keys, newest first. */
  list(): readonly SigningKey[];
  /** Returns the keys with their secrets, newest first. */
  privateJwks(): readonly PrivateJwk[];
  /** Creates a key, which signs from now on. A repeated call with the same id creates no key and returns `replayed` as true. */
  rotate(id: string): Promise<{ readonly key: SigningKey; readonly replayed: boolean }>;
  /**
   * Removes a key. This process rejects the tokens of the key from now on. Other processes reject them after their next
   * `reload`. Returns `current` for the key that signs, which is not removed. Returns `unknown` if there is no such key.
   */
  remove(kid: string): Promise<'removed' | 'current' | 'unknown'>;
  /**
   * Reads the keys again, because another process may have changed them. If the last read started less than a second ago, waits
   * until a second has passed.
   */
  reload(): Promise<void>;
  /** Calls `listener` after each change of the keys. Returns a function that removes the listener. */
  onChange(listener: () => void): () => void;
}
