/**
 * Stores keys apart from what they protect. Keys are 32 random bytes, created on first request, durable when
 * returned.
 */
export interface KeyVault {
  /** Returns a key of the service by name: `idempotency`, `token-signing`. */
  serviceKey(name: string): Promise<Uint8Array>;
  /** Returns the key of one person. Null if it was destroyed: data sealed with it is lost permanently. */
  personalKey(subject: string): Promise<Uint8Array | null>;
  /** Destroys a person's key. Repeating it does nothing. No new key is ever created for that subject. */
  destroyPersonalKey(subject: string): Promise<void>;
}

/** Looks keys up without creating any. */
export interface KeyLookup {
  /** Returns the key with that name: null if it was destroyed, undefined if it was never created. */
  lookUp(kind: KeyCopy['kind'], name: string): Promise<Uint8Array | null | undefined>;
}

/** A key that is copied from one vault to another. Null means destroyed. */
export type KeyCopy = { readonly kind: 'service' | 'personal'; readonly name: string; readonly key: Uint8Array | null };

/** A vault into which another vault's keys are copied. */
export interface KeyImport {
  /** Stores a key. Repeating it does nothing. Rejects with KeyConflict if a different key has that name. */
  importKey(key: KeyCopy): Promise<void>;
}

/**
 * The vault already has a different key with that name. Replacing it would lose the data that it protects.
 */
export class KeyConflict extends Error {
  override readonly name = 'KeyConflict';
}
