import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyLookup, KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import type { PersonalFields, Sealed } from '../../eventsourcing/sealed.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

type SealContext = {
  readonly stream: string;
  readonly tenant: string;
  /**
   * The text from which nonces are derived. It is unique per event, so that no nonce is used twice with a
   * key.
   */
  readonly nonce: string;
};

/** Returns a copy of `data` with its personal paths sealed with the key of their person. */
export const sealPaths = async (keys: KeyVault, personal: PersonalFields, data: unknown, context: SealContext): Promise<unknown> => {
  const subject = personal.subject(data as never, context);
  const key = await keys.personalKey(subject);
  const copy = structuredClone(data);
  for (const path of personal.paths) {
    const names = path.split('.');
    const last = names.pop() as string;
    const holder = names.reduce<unknown>((at, name) => (isObject(at) ? at[name] : undefined), copy);
    if (!isObject(holder) || typeof holder[last] !== 'string') continue;
    const plain = holder[last];
    holder[last] = key ? reportDamage(subject, () => seal(key, subject, plain, `${context.nonce} ${path}`)) : erased(subject);
  }
  return copy;
};

/**
 * Opens every sealed value in a document's JSON. A value whose key was destroyed becomes null. Documents
 * without sealed values are returned unchanged. Rejects with StoreUnavailable if a key does not open its
 * value.
 */
export const openSealed = async (keys: KeyVault, json: string): Promise<string> => {
  if (!json.includes('"$sealed"')) return json;
  return JSON.stringify(await openValue(keys, JSON.parse(json)));
};

const openValue = async (keys: KeyVault, value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map((item) => openValue(keys, item)));
  if (!isObject(value)) return value;
  if (isSealed(value)) {
    const key = await keys.personalKey(value.subject);
    return reportDamage(value.subject, () => unseal(key, value));
  }
  const entries = await Promise.all(Object.entries(value).map(async ([name, member]) => [name, await openValue(keys, member)] as const));
  return Object.fromEntries(entries);
};

/** The result of opening the sealed values of a text. */
export type OpenResult = 'opens' | 'does not open' | 'erased';

/**
 * Tries to open the sealed values of a text. Returns `erased` if all their keys were destroyed. Creates no
 * key.
 */
export const tryToOpen = async (keys: KeyLookup, json: string): Promise<OpenResult> => {
  let result: OpenResult = 'erased';
  for (const sealed of findSealed(JSON.parse(json))) {
    const key = await keys.lookUp('personal', sealed.subject);
    if (key === null || !sealed.$sealed) continue;
    if (key === undefined || !canOpen(key, sealed)) return 'does not open';
    result = 'opens';
  }
  return result;
};

const findSealed = (value: unknown): readonly Sealed[] => {
  if (!isObject(value)) return [];
  return isSealed(value) ? [value] : Object.values(value).flatMap(findSealed);
};

const canOpen = (key: Uint8Array, sealed: Sealed): boolean => {
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

/**
 * Runs `work`, which uses the key of `subject`. If it fails, the key or the value is damaged, and the error
 * is reported as a storage failure.
 */
const reportDamage = <T>(subject: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    const reason = `the key of ${subject} does not open the data sealed with it: one of them is damaged. Restore a backup of the whole store`;
    throw new StoreUnavailable(reason, { cause: error });
  }
};

const erased = (subject: string): Sealed => ({ $sealed: '', subject });

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isSealed = (value: object): value is Sealed => '$sealed' in value && 'subject' in value;
