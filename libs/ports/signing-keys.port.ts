/**
 * The kinds of the keys for tokens, which are the names of the first key of each kind. RSA keys sign. Earlier versions signed with
 * Ed25519 keys. They read every key whose name begins with the kind of these as 32 bytes, so no RSA key has such a name.
 */
export const TOKEN_KEY_KINDS = { rsa: 'rsa-token-signing', ed25519: 'token-signing' } as const;

/** A key that signs access tokens, without its secret. */
export type SigningKey = {
  /** The thumbprint of the public key (RFC 7638). It is the `kid` in the header of tokens. */
  readonly kid: string;
  /** Null for a key from an earlier version of the service, which stored no times. */
  readonly createdAt: Date | null;
  /** When a key that was announced signs, or signed first. Absent for other keys. */
  readonly activatesAt?: Date;
  /** `announced`: published, and signs from `activatesAt` on. `current`: signs. `former`: only verifies. */
  readonly status: 'announced' | 'current' | 'former';
};

/** A private key as a JWK (RFC 7518, RFC 8037). */
export type PrivateJwk = {
  readonly kty: 'RSA' | 'OKP';
  readonly kid: string;
  readonly alg: 'RS256' | 'EdDSA';
  readonly use: 'sig';
} & Readonly<Record<string, string>>;

/** The result of a rotation. `replayed` is true if an earlier call with the same id created the key. */
export type SigningKeyRotation = { readonly key: SigningKey; readonly replayed: boolean };

/** The keys that sign tokens. One key signs. The others verify the tokens that they have signed. */
export abstract class SigningKeys {
  /** Returns the keys: those of RSA, newest first, then those of Ed25519, newest first. */
  abstract list(): readonly SigningKey[];
  /**
   * Returns the keys that resource servers may know, with their secrets: first the key that signs. When an RSA key signs, they are
   * the RSA keys only, because some clients refuse a set that has a key of another type (contract 31.1).
   */
  abstract published(): readonly [PrivateJwk, ...PrivateJwk[]];
  /**
   * Creates a key, which is announced and signs after 10 minutes, or at once with `now`. With `now`, a key that is announced already
   * signs at once, and no key is created. A repeated call with the same id creates no key. Returns `announced` and creates no
   * key if another one is announced.
   */
  abstract rotate(id: string, options?: { readonly now: boolean }): Promise<SigningKeyRotation | 'announced'>;
  /**
   * Removes a key. This process rejects the tokens of the key from now on. Other processes reject them after their next
   * `reload`. Returns `current` for the key that signs, which is not removed. Returns `unknown` if there is no such key.
   */
  abstract remove(kid: string): Promise<'removed' | 'current' | 'unknown'>;
  /**
   * Reads the keys again, because another process may have changed them. If the last read started less than a second ago, waits
   * until a second has passed.
   */
  abstract reload(): Promise<void>;
  /** Calls `listener` after each read that found other keys. Returns a function that removes the listener. */
  abstract onChange(listener: () => void): () => void;
}
