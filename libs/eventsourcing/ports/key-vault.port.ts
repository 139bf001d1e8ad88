/** Where keys live, apart from what they protect. Keys are 32 random bytes, made on first asking, durable when answered. */
export interface KeyVault {
  /** A key of the service's own, by name: `idempotency`, `token-signing`. */
  serviceKey(name: string): Promise<Uint8Array>;
  /** The key of one person. Null when it was destroyed: what it sealed is gone for good. */
  personalKey(subject: string): Promise<Uint8Array | null>;
  /** Destroys a person's key. Asking twice does no harm; a key is never made again for that subject. */
  destroyPersonalKey(subject: string): Promise<void>;
}

/** A look at keys that makes none. */
export interface KeyLookup {
  /** The key of that name as it is: null when it was destroyed, undefined when nobody has asked for it yet. */
  existing(kind: CarriedKey['kind'], name: string): Promise<Uint8Array | null | undefined>;
}

/** A key on its way from one vault to another; null was destroyed, and stays so. */
export type CarriedKey = { readonly kind: 'service' | 'personal'; readonly name: string; readonly key: Uint8Array | null };

/** A vault that another one's keys are carried into. */
export interface KeyImport {
  /** Takes a key in; the same one again does no harm. Rejects with AnotherKey when there is another of that name. */
  take(key: CarriedKey): Promise<void>;
}

/** The vault has a key of that name already, and it is another one: what it protects would be lost. */
export class AnotherKey extends Error {
  override readonly name = 'AnotherKey';
}
