import { generateKeyPairSync } from 'node:crypto';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { KeyVault, ServiceKey, ServiceKeyList } from '../../eventsourcing/ports/key-vault.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { TOKEN_KEY_KINDS, type SigningKey } from '../../ports/signing-keys.port.js';
import { openSigningKeys, type SigningKeyOptions, type TokenKeys } from './signing-keys.js';
import { createTokens } from './tokens.js';

/** A vault in memory, with functions for tests. */
export type MemoryVault = KeyVault &
  ServiceKeyList & {
    /** The number of times that the list of keys was read. */
    reads(): number;
    /** Delays the next read of the list until the returned function is called. It returns the keys from before the delay. */
    delayNextRead(): () => void;
    /** Makes the next read of the list fail. */
    failNextRead(error: Error): void;
    /** Adds an Ed25519 key whose bytes are all `byte`, as a rotation by an earlier version does. */
    addEd25519Key(id: string, byte: number): void;
  };

type Stored = Omit<ServiceKey, 'waits'>;

/** Creates a vault in memory. `seed` is its first signing key, an Ed25519 key. */
export const memoryVault = (clock: Clock, seed?: Uint8Array): MemoryVault => {
  const keys = new Map<string, Stored>();
  let reads = 0;
  let delay = Promise.resolve();
  const addEd25519Key = (name: string, key: Uint8Array, createdAt: Date | null): void => void add({ name, key, createdAt, requests: [] });
  const waitOf = ({ activatesAt }: Stored): number => Math.max(0, (activatesAt?.getTime() ?? 0) - clock.now().getTime());
  const add = (key: Stored): boolean => !keys.has(key.name) && keys.set(key.name, key) === keys;
  if (seed) addEd25519Key(TOKEN_KEY_KINDS.ed25519, seed, null);
  return {
    serviceKey: () => Promise.reject(new Error('not needed')),
    async serviceKeys() {
      reads++;
      const found = [...keys.values()].map((key) => ({ ...key, waits: waitOf(key) }));
      const waited = delay;
      delay = Promise.resolve();
      await waited;
      return found;
    },
    async addServiceKey(name, key, { wait, notBefore, request } = {}) {
      const now = clock.now().getTime();
      const stored = { name, key, createdAt: new Date(Math.max(now, notBefore?.getTime() ?? now)), requests: [request ?? []].flat() };
      return add({ ...stored, ...(wait !== undefined && { activatesAt: new Date(now + wait) }) });
    },
    async activateServiceKey(name, request) {
      const key = keys.get(name);
      if (key && waitOf(key) > 0) keys.set(name, { ...key, activatesAt: clock.now(), requests: [...key.requests, request] });
    },
    removeServiceKey: async (name) => void keys.delete(name),
    personalKey: () => Promise.reject(new Error('not needed')),
    destroyPersonalKey: () => Promise.reject(new Error('not needed')),
    reads: () => reads,
    delayNextRead() {
      let end = (): void => undefined;
      delay = new Promise((resolve) => (end = resolve));
      return () => end();
    },
    failNextRead: (error) => void (delay = Promise.reject(error)),
    addEd25519Key: (id, byte) => addEd25519Key(`${TOKEN_KEY_KINDS.ed25519}/${id}`, new Uint8Array(32).fill(byte), clock.now()),
  };
};

/** Generates an RSA key in the form in which the vault stores it. */
export const rsaKey = (): Uint8Array =>
  generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'der', type: 'pkcs8' });

export const HOUR = 3600;
export const SECOND = 1_000;
export const MINUTE = 60_000;
export const SEED = new Uint8Array(32).fill(7);
export const CLAIMS = { subject: 'ann', scopes: ['ops'], expiresInSeconds: HOUR };
export const VERIFIED = { subject: 'ann', scopes: new Set(['ops']) };

/** Opens the signing keys of a vault, as a process does at its start. */
export const open = async (options: SigningKeyOptions) => {
  const keys = await openSigningKeys(options);
  return { ...options, keys, tokens: createTokens({ keys, clock: options.clock }) };
};

/** Opens a new store. Its first key is an RSA key. */
export const given = async () => {
  const clock = manualClock();
  const vault = memoryVault(clock);
  return { ...(await open({ vault, clock })), vault, clock };
};

/** Opens a store whose only key is an Ed25519 key, which an earlier version made. */
export const givenEd25519 = async (options: Pick<SigningKeyOptions, 'replacesEd25519'> = {}) => {
  const clock = manualClock();
  const vault = memoryVault(clock, SEED);
  return { ...(await open({ vault, clock, ...options })), vault, clock };
};

export const kids = (keys: TokenKeys): readonly string[] => keys.list().map(({ kid }) => kid);
export const statuses = (keys: TokenKeys): readonly string[] => keys.list().map(({ status }) => status);
export const published = (keys: TokenKeys): readonly string[] => keys.published().map(({ kid }) => kid);

export const rotate = async (
  keys: TokenKeys,
  id: string,
  now = true,
): Promise<{ readonly key: SigningKey; readonly replayed: boolean }> => {
  const rotated = await keys.rotate(id, { now });
  if (rotated === 'announced') throw new Error('a key is announced already');
  return rotated;
};
