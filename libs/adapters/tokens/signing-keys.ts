import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { keysOfKind } from '../../eventsourcing/ports/key-rotation.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { KeyVault, ServiceKey, ServiceKeyList } from '../../eventsourcing/ports/key-vault.port.js';
import {
  TOKEN_KEY_KINDS,
  type PrivateJwk,
  type SigningKey,
  type SigningKeyRotation,
  type SigningKeys,
} from '../../ports/signing-keys.port.js';

const RSA_BITS = 2_048;
/** RFC 8410: the DER bytes before the seed of an Ed25519 private key. */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/** Milliseconds for which a new key is announced. Verifiers may keep the published set for 5 minutes (contract 31.2). */
const ANNOUNCED = 600_000;
/**
 * Minimum milliseconds from the start of any read of the keys to the next read that `reload` starts. Without this limit,
 * tokens with unknown keys could cause many reads.
 */
const RELOAD_INTERVAL = 1_000;

/** A key that is ready for use. */
export type KeyPair = Omit<SigningKey, 'status'> & {
  /** The name of the service key in the vault. */
  readonly name: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly jwk: PrivateJwk;
  /** When the key may sign, as elapsed milliseconds of the clock of this process. */
  readonly signsFrom: number;
  /** The ids of the rotations that created the key and that let it sign at once after it was announced. */
  readonly requests: readonly string[];
};

/** The signing keys with their secrets. */
export type TokenKeys = SigningKeys & {
  /** Returns the key that signs now. */
  current(): KeyPair;
  /**
   * Returns the key with this kid, or undefined. Without a kid, returns the first key: an earlier version made tokens
   * without kid (contract 31.1).
   */
  find(kid: string | undefined): KeyPair | undefined;
};

export type SigningKeyOptions = {
  readonly vault: KeyVault & ServiceKeyList;
  readonly clock: Clock;
  /**
   * Whether a store that has only keys of an earlier version gets an RSA key, which signs at once. An earlier version, which might
   * run beside this one, would reject its tokens. Default: only a store without any key gets one.
   */
  readonly replacesEd25519?: boolean;
};

/** Opens the signing keys of a vault. Creates the first one if there is none. */
export const openSigningKeys = async (options: SigningKeyOptions): Promise<TokenKeys> => {
  const keys = new VaultSigningKeys(options);
  await keys.load();
  await keys.addFirst();
  return keys;
};

class VaultSigningKeys implements TokenKeys {
  /** In the order of `list`. */
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
    return this.keys.map((key) => this.viewOf(key));
  }

  published(): readonly [PrivateJwk, ...PrivateJwk[]] {
    const current = this.current();
    const others = this.keys.filter((key) => key !== current && (current.jwk.kty !== 'RSA' || key.jwk.kty === 'RSA'));
    return [current.jwk, ...others.map(({ jwk }) => jwk)];
  }

  current(): KeyPair {
    // A key that signed waits again if the clock of the database was set back. Then it is better than none.
    const current = this.keys.find((key) => !this.isWaiting(key)) ?? this.keys[0];
    if (!current) throw new Error('there is no key that signs tokens');
    return current;
  }

  find(kid: string | undefined): KeyPair | undefined {
    return kid === undefined ? this.keys.find(({ name }) => name === TOKEN_KEY_KINDS.ed25519) : this.byKid.get(kid);
  }

  /** Another process may rotate at the same time. Then one of them adds or activates the key, and the other one decides again. */
  async rotate(id: string, { now } = { now: false }): Promise<SigningKeyRotation | 'announced'> {
    const { vault } = this.options;
    for (let isDone = false; ;) {
      await this.load();
      const rotated = this.keys.find(({ requests }) => requests.includes(id));
      if (rotated) return { key: this.viewOf(rotated), replayed: !isDone };
      const waiting = this.keys.find((key) => this.isWaiting(key));
      if (waiting && !now) return 'announced';
      const terms = { notBefore: this.nextTime(), request: id, ...(!now && { wait: ANNOUNCED }) };
      if (waiting) await vault.activateServiceKey(waiting.name, id);
      isDone = waiting !== undefined || (await vault.addServiceKey(this.nextName(), await generateRsaKey(), terms));
    }
  }

  async remove(kid: string): Promise<'removed' | 'current' | 'unknown'> {
    await this.load();
    const key = this.byKid.get(kid);
    if (!key) return 'unknown';
    if (key === this.current()) return 'current';
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
    const stored = keysInOrder(await vault.serviceKeys());
    const pairs = new Map(this.keys.map((key) => [key.name, key]));
    const keys = await Promise.all(
      stored.map(async (key) => ({ ...(pairs.get(key.name) ?? (await keyPairOf(key))), ...changeableOf(key, clock.elapsed()) })),
    );
    // A read that started later may have ended before this read. The keys of this read are then outdated.
    if (read < this.applied) return;
    this.applied = read;
    const hasChanged = keys.length !== this.keys.length || keys.some(({ kid }, index) => kid !== this.keys[index]?.kid);
    this.keys = keys;
    this.byKid = new Map(keys.map((key) => [key.kid, key]));
    if (hasChanged) for (const listener of this.listeners) listener();
  }

  /** Stores the first RSA key if there is none and the options ask for it. Of several processes, one stores it. */
  async addFirst(): Promise<void> {
    const { vault, replacesEd25519 = false } = this.options;
    const isMissing = replacesEd25519 ? this.keys.every(({ name }) => !isRsa(name)) : this.keys.length === 0;
    if (!isMissing) return;
    await vault.addServiceKey(TOKEN_KEY_KINDS.rsa, await generateRsaKey());
    await this.load();
  }

  private isWaiting({ signsFrom }: KeyPair): boolean {
    return signsFrom > this.options.clock.elapsed();
  }

  private viewOf(key: KeyPair): SigningKey {
    const { kid, createdAt, activatesAt } = key;
    const status = this.isWaiting(key) ? 'announced' : key === this.current() ? 'current' : 'former';
    return { kid, createdAt, ...(activatesAt && { activatesAt }), status };
  }

  /** Returns the name of the next RSA key, with the number after the highest. Processes that know the same keys choose the same name. */
  private nextName(): string {
    const prefix = `${TOKEN_KEY_KINDS.rsa}/`;
    const numbers = this.keys.map(({ name }) => (name.startsWith(prefix) ? Number(name.slice(prefix.length)) : 0));
    return `${prefix}${Math.max(0, ...numbers.filter(Number.isInteger)) + 1}`;
  }

  /** Returns a time after the creation of every key, which orders a new key before them even after a clock was set back. */
  private nextTime(): Date {
    return new Date(1 + Math.max(-1, ...this.keys.map(({ createdAt }) => createdAt?.getTime() ?? -1)));
  }
}

/** Generates a key in PKCS#8 (DER). It takes about 60 ms, in a thread of the pool. */
const generateRsaKey = (): Promise<Uint8Array> =>
  new Promise((resolve, reject) =>
    generateKeyPair('rsa', { modulusLength: RSA_BITS }, (error, _, privateKey) => {
      if (error) reject(error);
      else resolve(privateKey.export({ format: 'der', type: 'pkcs8' }));
    }),
  );

const isRsa = (name: string): boolean => name === TOKEN_KEY_KINDS.rsa || name.startsWith(`${TOKEN_KEY_KINDS.rsa}/`);

/** Returns the stored keys for tokens in the order of `list`. */
const keysInOrder = (stored: readonly ServiceKey[]): readonly ServiceKey[] => [
  ...keysOfKind(stored, TOKEN_KEY_KINDS.rsa),
  ...keysOfKind(stored, TOKEN_KEY_KINDS.ed25519),
];

const changeableOf = (
  { activatesAt, requests, waits }: ServiceKey,
  elapsed: number,
): Pick<KeyPair, 'activatesAt' | 'requests' | 'signsFrom'> => ({
  ...(activatesAt && { activatesAt }),
  requests,
  signsFrom: waits > 0 ? elapsed + waits : -Infinity,
});

const keyPairOf = async ({ name, key, createdAt }: ServiceKey): Promise<Omit<KeyPair, 'activatesAt' | 'requests' | 'signsFrom'>> => {
  const pkcs8 = isRsa(name) ? Buffer.from(key) : Buffer.concat([ED25519_PREFIX, key]);
  const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const kid = await calculateJwkThumbprint(publicKey.export({ format: 'jwk' }));
  const kind = isRsa(name) ? ({ kty: 'RSA', alg: 'RS256' } as const) : ({ kty: 'OKP', alg: 'EdDSA' } as const);
  const jwk = { ...(privateKey.export({ format: 'jwk' }) as Readonly<Record<string, string>>), ...kind, kid, use: 'sig' } as const;
  return { name, kid, createdAt, privateKey, publicKey, jwk };
};
