import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyLookup, KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { PersonalFields, Sealed } from '../../eventsourcing/sealed.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type Place = {
  readonly stream: string;
  readonly tenant: string;
  /** Unique per event: no nonce is ever used twice under a key, and the same event encodes to the same bytes. */
  readonly nonce: string;
};

/** A copy of `data` with its personal paths sealed by the key of the person they belong to. */
export const sealPaths = async (keys: KeyVault, personal: PersonalFields, data: unknown, place: Place): Promise<unknown> => {
  const subject = personal.subject(data as never, place);
  const key = await keys.personalKey(subject);
  const copy = structuredClone(data);
  for (const path of personal.paths) {
    const names = path.split('.');
    const last = names.pop() as string;
    const holder = names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), copy);
    if (!isObject(holder) || typeof holder[last] !== 'string') continue;
    const plain = holder[last];
    holder[last] = key ? withKeyOf(subject, () => seal(key, subject, plain, `${place.nonce} ${path}`)) : erased(subject);
  }
  return copy;
};

/**
 * The document's JSON with every sealed value opened; one whose key was destroyed reads as null. Documents that hold
 * none are answered as they are. Rejects with StoreUnavailable where a key does not open what it sealed.
 */
export const openSealed = async (keys: KeyVault, json: string): Promise<string> => {
  if (!json.includes('"$sealed"')) return json;
  return JSON.stringify(await open(keys, JSON.parse(json)));
};

const open = async (keys: KeyVault, value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map((item) => open(keys, item)));
  if (!isObject(value)) return value;
  if (isSealed(value)) {
    const key = await keys.personalKey(value.subject);
    return withKeyOf(value.subject, () => unseal(key, value));
  }
  const entries = await Promise.all(Object.entries(value).map(async ([name, member]) => [name, await open(keys, member)] as const));
  return Object.fromEntries(entries);
};

/** What comes of opening the sealed values of a text with keys as they are. */
export type Opening = 'opens' | 'does not open' | 'erased';

/** Whether keys open what is sealed in a text: `erased` when all of its keys were destroyed. Makes no key. */
export const tryToOpen = async (keys: KeyLookup, json: string): Promise<Opening> => {
  let opening: Opening = 'erased';
  for (const sealed of sealedIn(JSON.parse(json))) {
    const key = await keys.lookUp('personal', sealed.subject);
    if (key === null || !sealed.$sealed) continue;
    if (key === undefined || !opens(key, sealed)) return 'does not open';
    opening = 'opens';
  }
  return opening;
};

const sealedIn = (value: unknown): readonly Sealed[] => {
  if (!isObject(value)) return [];
  return isSealed(value) ? [value] : Object.values(value).flatMap(sealedIn);
};

const opens = (key: Uint8Array, sealed: Sealed): boolean => {
  try {
    return unseal(key, sealed) !== null;
  } catch {
    return false;
  }
};

const seal = (key: Uint8Array, subject: string, plain: string, nonceOf: string): Sealed => {
  const nonce = createHmac('sha256', key).update(nonceOf).digest().subarray(0, NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(subject));
  const sealed = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return { $sealed: sealed.toString('base64url'), subject };
};

const unseal = (key: Uint8Array | null, { $sealed, subject }: Sealed): string | null => {
  if (!key || !$sealed) return null;
  const bytes = Buffer.from($sealed, 'base64url');
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(subject));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
};

/** A key that does not fit is damaged, or what it sealed is: the store's fault as much as a page that cannot be read. */
const withKeyOf = <T>(subject: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    const reason = `the key of ${subject} does not fit what is sealed for it: one of them is damaged. Restore a backup of the whole store`;
    throw new StoreUnavailable(reason, { cause: error });
  }
};

const erased = (subject: string): Sealed => ({ $sealed: '', subject });

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isSealed = (value: object): value is Sealed => '$sealed' in value && 'subject' in value;
