import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { keysOfKind, rotateKey } from '../../eventsourcing/ports/key-rotation.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { KeyVault, ServiceKey, ServiceKeyList } from '../../eventsourcing/ports/key-vault.port.js';
import type { PrivateJwk, SigningKey, SigningKeys } from '../../ports/signing-keys.port.js';

/** The kind of the keys for tokens. It is also the name of the first key. */
const FIRST_SIGNING_KEY = 'token-signing';
/**
 * Minimum milliseconds from the start of any read of the keys to the next read that `reload` starts. Without this limit,
 * tokens with unknown keys could cause many reads.
 */
const RELOAD_INTERVAL = 1_000;
/** RFC 8410: the DER bytes before the seed of an Ed25519 private key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key that is ready for use. */
export type KeyPair = SigningKey & {
  /** The name of the service key in the vault. The bytes of the service key are the seed of this key pair. */
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PrivateJwk;
};

/** The signing keys with their secrets. */
export type TokenKeys = SigningKeys & {
  /** Returns the key that signs. */
  newest(): KeyPair;
  /**
   * Returns the key with this kid, or undefined. Without a kid, returns the first key: an earlier version made tokens
   * without kid (contract 31.1).
   */
  find(kid: string | undefined): KeyPair | undefined;
};

/** The vault that stores the keys, and the clock. */
export type SigningKeyOptions = { readonly vault: KeyVault & ServiceKeyList; readonly clock: Clock };

/** Opens the signing keys of a vault. Creates the first one if there is none. */
export const openSigningKeys = async (options: SigningKeyOptions): Promise<TokenKeys> => {
  const keys = new VaultSigningKeys(options);
  await keys.load();
  return keys;
};

class VaultSigningKeys implements TokenKeys {
  /** Newest first. */
  private keys: readonly KeyPair[] = [];
  private byKid: ReadonlyMap<string, KeyPair> = new Map();
  private readonly listeners = new Set<() => void>();
  /** The number of reads that have started. It is also the number of the latest read. */
  private started = 0;
  /** The number of the read whose result is in use. */
  private applied = 0;
  /** The time at which the latest read started, in milliseconds since 1970. */
  private startedAt = -Infinity;
  /** The read that `reload` has scheduled. Undefined if there is none, or if it has started. */
  private next: Promise<void> | undefined;

  constructor(private readonly options: SigningKeyOptions) {}

  list(): readonly SigningKey[] {
    return this.keys.map(({ kid, createdAt }) => ({ kid, createdAt }));
  }

  privateJwks(): readonly PrivateJwk[] {
    return this.keys.map(({ jwk }) => jwk);
  }

  newest(): KeyPair {
    const [newest] = this.keys;
    if (!newest) throw new Error('there is no key that signs tokens');
    return newest;
  }

  find(kid: string | undefined): KeyPair | undefined {
    return kid === undefined ? this.keys.find(({ name }) => name === FIRST_SIGNING_KEY) : this.byKid.get(kid);
  }

  async rotate(id: string): Promise<{ readonly key: SigningKey; readonly replayed: boolean }> {
    const { vault, clock } = this.options;
    const { name, replayed } = await rotateKey(vault, FIRST_SIGNING_KEY, id, clock.now());
    await this.load();
    const key = this.keys.find((known) => known.name === name);
    if (!key) throw new Error('the new key that signs tokens is missing');
    return { key: { kid: key.kid, createdAt: key.createdAt }, replayed };
  }

  async remove(kid: string): Promise<'removed' | 'current' | 'unknown'> {
    await this.load();
    const key = this.byKid.get(kid);
    if (!key) return 'unknown';
    if (key === this.newest()) return 'current';
    await this.options.vault.removeServiceKey(key.name);
    await this.load();
    return 'removed';
  }

  /**
   * Reads the keys, at the earliest RELOAD_INTERVAL after the start of the latest read. Calls until then share one read.
   */
  reload(): Promise<void> {
    const { clock } = this.options;
    const wait = this.startedAt + RELOAD_INTERVAL - clock.elapsed();
    const waited = wait > 0 ? () => new Promise<void>((resolve) => void clock.after(wait, resolve)) : () => Promise.resolve();
    this.next ??= waited().then(() => {
      this.next = undefined;
      return this.load();
    });
    return this.next;
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  /** Reads the keys now. */
  async load(): Promise<void> {
    const { vault, clock } = this.options;
    const read = ++this.started;
    this.startedAt = clock.elapsed();
    const stored = await readSigningKeys(vault);
    const known = new Map(this.keys.map((key) => [key.name, key]));
    const keys = await Promise.all(stored.map(async (key) => known.get(key.name) ?? keyPairOf(key)));
    // A read that started later may have ended before this read. The keys of this read are then outdated.
    if (read < this.applied) return;
    this.applied = read;
    const hasChanged = keys.length !== this.keys.length || keys.some(({ kid }, index) => kid !== this.keys[index]?.kid);
    this.keys = keys;
    this.byKid = new Map(keys.map((key) => [key.kid, key]));
    if (hasChanged) for (const listener of this.listeners) listener();
  }
}

/** Returns the stored keys, newest first. Creates the first key if there is none. */
const readSigningKeys = async (vault: KeyVault & ServiceKeyList): Promise<readonly ServiceKey[]> => {
  const stored = keysOfKind(await vault.serviceKeys(), FIRST_SIGNING_KEY);
  if (stored.length > 0) return stored;
  await vault.serviceKey(FIRST_SIGNING_KEY);
  return keysOfKind(await vault.serviceKeys(), FIRST_SIGNING_KEY);
};

const keyPairOf = async ({ name, key: seed, createdAt }: ServiceKey): Promise<KeyPair> => {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const x = String(publicKey.export({ format: 'jwk' }).x);
  const kid = await calculateJwkThumbprint({ kty: 'OKP', crv: 'Ed25519', x });
  const d = Buffer.from(seed).toString('base64url');
  return { name, kid, createdAt, privateKey, publicKey, jwk: { kty: 'OKP', crv: 'Ed25519', x, d, kid, alg: 'EdDSA', use: 'sig' } };
};
