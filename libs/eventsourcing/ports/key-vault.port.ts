/**
 * Stores keys apart from the data that they encrypt or sign. A key has 32 random bytes. It is created when it
 * is first requested, and is durable when it is returned.
 */
export abstract class KeyVault {
  /**
   * Returns a key of the service by name, for example `idempotency`. If the key does not exist, creates it with
   * `createdAt` as its time of creation (by default the current time).
   */
  abstract serviceKey(name: string, createdAt?: Date): Promise<Uint8Array>;
  /** Returns the key of one person. Null if it was destroyed: data sealed with it is lost permanently. */
  abstract personalKey(subject: string): Promise<Uint8Array | null>;
  /** Destroys a person's key. A repeated call does nothing. No new key is ever created for that subject. */
  abstract destroyPersonalKey(subject: string): Promise<void>;
}

/** A key of the service. */
export type ServiceKey = {
  readonly name: string;
  readonly key: Uint8Array;
  /** Null for a key from an earlier version of the service, which stored no times. */
  readonly createdAt: Date | null;
  /** When the key is used to sign. Absent for a key that was used from its creation on. */
  readonly activatesAt?: Date;
  /** The ids of the requests that added the key and that ended its wait, in this order. Empty if they had none. */
  readonly requests: readonly string[];
  /** Milliseconds until then, by the clock of the store. 0 if the key is used already. */
  readonly waits: number;
};

/** When an added key is created and used, by the clock of the store. */
export type AddedKeyTerms = {
  /** Milliseconds from now until the key is used. Absent for a key that is used at once. */
  readonly wait?: number;
  /** The key counts as created at this time if it is in the future, for example 1 ms after the key that it replaces. */
  readonly notBefore?: Date;
  /** The id of the request that adds the key. */
  readonly request?: string;
};

/** Lists the keys of the service without creating any, and adds and removes them. */
export abstract class ServiceKeyList {
  /** Returns all keys of the service, including those that other processes have just created, in order of name. */
  abstract serviceKeys(): Promise<readonly ServiceKey[]>;
  /** Removes a key of the service. A repeated call does nothing. A later request for the name creates another key. */
  abstract removeServiceKey(name: string): Promise<void>;
  /**
   * Stores a key that was generated elsewhere, such as a pair of keys in PKCS#8, if the name has no key yet. Returns whether this
   * call stored it: of many processes that add a key under one name, one wins.
   */
  abstract addServiceKey(name: string, key: Uint8Array, terms?: AddedKeyTerms): Promise<boolean>;
  /** Ends the wait of a key, which is used from now on, for a request. Does nothing if the key is used already, or if there is none. */
  abstract activateServiceKey(name: string, request: string): Promise<void>;
}

/** Lists the names of the keys of persons, without the keys themselves. */
export interface PersonalKeyList {
  /** Yields each key that was ever created or destroyed, in order of name: its name, and whether it was destroyed. */
  personalKeys(): AsyncIterable<{ readonly name: string; readonly isDestroyed: boolean }>;
}

/** Looks keys up without creating any. */
export interface KeyLookup {
  /** Returns the key with that name: null if it was destroyed, undefined if it was never created. */
  lookUp(kind: KeyCopy['kind'], name: string): Promise<Uint8Array | null | undefined>;
}

/** A key that is copied from one vault to another. If `key` is null, the key was destroyed. */
export type KeyCopy = {
  readonly kind: 'service' | 'personal';
  readonly name: string;
  readonly key: Uint8Array | null;
  /** When a service key was created. */
  readonly createdAt?: Date;
  /** When a service key is used, if that was not at its creation. */
  readonly activatesAt?: Date;
  /** The requests of a service key, as in ServiceKey. */
  readonly requests?: readonly string[];
};

/** A vault into which another vault's keys are copied. */
export interface KeyImport {
  /** Stores a key. A repeated call does nothing. Rejects with KeyConflict if a different key has that name. */
  importKey(key: KeyCopy): Promise<void>;
}

/** The vault already has a different key with that name. Replacing the existing key would lose the data that it protects. */
export class KeyConflict extends Error {
  override readonly name = 'KeyConflict';
}
