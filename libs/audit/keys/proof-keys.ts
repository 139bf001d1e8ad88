import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { keysOfKind, rotateKey } from '../../eventsourcing/ports/key-rotation.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { KeyVault, ServiceKey, ServiceKeyList } from '../../eventsourcing/ports/key-vault.port.js';
import { privateKeyOf } from '../../runtime/codec/ed25519.js';
import type { PublicKeys } from '../proof/signatures.js';
import { proofKeyOf, type ProofKey } from '../proof/signing.js';

/** The kind of the keys that sign checkpoints. The first key of this kind in the vault also has this name. */
export const CHECKPOINT_SIGNING = 'checkpoint-signing';
const PEM_BLOCK = /-----BEGIN PRIVATE KEY-----[^-]+-----END PRIVATE KEY-----/g;

/** The file that SIGNING_KEY_FILE names cannot be used. The error's message says what the file must contain. */
export class InvalidSigningKey extends Error {
  override readonly name = 'InvalidSigningKey';
}

/** A key that signs checkpoints, without its secret. */
export type ListedProofKey = {
  /** The thumbprint of the public key (RFC 7638). Checkpoints have it as `keyId`. */
  readonly keyId: string;
  /** Null for a key of SIGNING_KEY_FILE. */
  readonly createdAt: Date | null;
};

/** The keys that sign checkpoints and exports. The newest one signs, and all of them verify. */
export abstract class ProofKeys {
  /** Returns the key that currently signs. Creates the first key if there is none. */
  abstract newest(): Promise<ProofKey>;
  /** Returns the key with this id, or the newest key if no key has this id. */
  abstract withId(keyId: string): Promise<ProofKey>;
  /** Returns all public keys, newest first. */
  abstract publicKeys(): Promise<PublicKeys>;
  /** Returns all keys, newest first. The first one signs. */
  abstract list(): Promise<readonly ListedProofKey[]>;
  /**
   * Creates a key, which signs from then on. A repeated call with the same id creates no key. It returns the key of the first
   * call, and `replayed` is true. If the key that signs is in SIGNING_KEY_FILE, creates no key and returns `in file`.
   */
  abstract rotate(id: string): Promise<{ readonly key: ListedProofKey; readonly replayed: boolean } | 'in file'>;
}

/** The vault that stores the keys, and the clock that dates new ones. */
export type ProofKeyOptions = { readonly vault: KeyVault & Pick<ServiceKeyList, 'serviceKeys'>; readonly clock: Clock };

/**
 * Opens the keys. `fileText` is the text of SIGNING_KEY_FILE: its first key signs, and its other keys and those of the
 * vault only verify. Without `fileText`, the newest key of the vault signs. Throws InvalidSigningKey.
 */
export const openProofKeys = ({ vault, clock }: ProofKeyOptions, fileText?: string): ProofKeys => {
  const inFile = fileText === undefined ? [] : readPem(fileText).map((privateKey) => knownKeyOf(privateKey));
  const all = async (isNeeded: boolean): Promise<readonly KnownKey[]> => [...inFile, ...(await readVault(vault, isNeeded))];
  const newest = async (): Promise<ProofKey> => {
    const [key] = await all(inFile.length === 0);
    if (!key) throw new Error('there is no key that signs checkpoints');
    return key;
  };
  return {
    newest,
    withId: async (keyId) => (await all(false)).find((key) => key.keyId === keyId) ?? newest(),
    publicKeys: async () => new Map((await all(false)).map(({ keyId, privateKey }) => [keyId, createPublicKey(privateKey)])),
    list: async () => (await all(false)).map(listed),
    async rotate(id) {
      if (inFile.length > 0) return 'in file';
      // Creates the first key if there is none, because the rotation only creates later keys.
      await readVault(vault, true);
      const { name, replayed } = await rotateKey(vault, CHECKPOINT_SIGNING, id, clock.now());
      const key = (await readVault(vault, false)).find((candidate) => candidate.name === name);
      if (!key) throw new Error('the new key that signs checkpoints is missing');
      return { key: listed(key), replayed };
    },
  };
};

/** A key with its secret. `name` is its name in the vault, absent for a key of SIGNING_KEY_FILE. */
type KnownKey = ProofKey & ListedProofKey & { readonly name?: string };

const knownKeyOf = (privateKey: KeyObject, createdAt: Date | null = null): KnownKey => ({ ...proofKeyOf(privateKey), createdAt });

const listed = ({ keyId, createdAt }: KnownKey): ListedProofKey => ({ keyId, createdAt });

const readPem = (text: string): readonly KeyObject[] => {
  const expected = 'expected Ed25519 private keys in PEM, for example from "openssl genpkey -algorithm ed25519"';
  const keys = (text.match(PEM_BLOCK) ?? []).map((block) => {
    try {
      return createPrivateKey(block);
    } catch {
      // The original error is not passed on, because its message may quote the private key.
      throw new InvalidSigningKey(expected);
    }
  });
  if (keys.length === 0 || keys.some(({ asymmetricKeyType }) => asymmetricKeyType !== 'ed25519')) throw new InvalidSigningKey(expected);
  return keys;
};

/** Returns the keys of the vault, newest first. With `isNeeded`, creates the first key if there is none. */
const readVault = async (vault: KeyVault & Pick<ServiceKeyList, 'serviceKeys'>, isNeeded: boolean): Promise<readonly KnownKey[]> => {
  const stored = async (): Promise<readonly ServiceKey[]> => keysOfKind(await vault.serviceKeys(), CHECKPOINT_SIGNING);
  let keys = await stored();
  if (keys.length === 0 && isNeeded) {
    await vault.serviceKey(CHECKPOINT_SIGNING);
    keys = await stored();
  }
  return keys.map(({ name, key, createdAt }) => ({ ...knownKeyOf(privateKeyOf(key), createdAt), name }));
};
