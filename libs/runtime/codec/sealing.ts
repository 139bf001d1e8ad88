import { createHmac } from 'node:crypto';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { KeyLookup, KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { isSealed, type PersonalFields, type Sealed, type Subject } from '../../eventsourcing/sealed.js';
import { decrypt, encrypt } from './cipher.js';

type SealContext = {
  readonly stream: string;
  readonly tenant: string;
  /** The text from which nonces are derived. It is unique per event, so that no nonce is used twice with a key. */
  readonly nonce: string;
};

/**
 * Returns a copy of `data` whose values at the personal paths are sealed: encrypted with the keys of the persons concerned. If
 * one of these keys was destroyed, the values are erased instead.
 */
export const sealPaths = async (keys: KeyVault, personal: PersonalFields, data: unknown, context: SealContext): Promise<unknown> => {
  const subject = personal.subject(data as never, context);
  const key = await keyOf((name) => keys.personalKey(name), subject);
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
 * Seals a text with the keys of its subject. Returns the JSON object that replaces the text in stored data. `nonce` must differ
 * for each text that is sealed with the same keys.
 */
export const sealText = async (keys: KeyVault, subject: Subject, plain: string, nonce: string): Promise<Sealed> => {
  const key = await keyOf((name) => keys.personalKey(name), subject);
  return key ? reportDamage(subject, () => seal(key, subject, plain, nonce)) : erased(subject);
};

/** Returns the names of all keys with which the values in a JSON text are sealed, sorted by name. */
export const subjectsIn = (json: string): readonly string[] =>
  json.includes('"$sealed"') ? [...new Set(findSealed(JSON.parse(json)).flatMap(({ subject }) => subject))].sort() : [];

/**
 * Opens every sealed value in a document's JSON. A value whose key was destroyed becomes null. Documents without sealed
 * values are returned unchanged. Rejects with StoreUnavailable if a key does not open its value.
 */
export const openSealed = async (keys: KeyVault, json: string): Promise<string> => (await openDocument(keys, json)).json;

/** The JSON of a document whose sealed values were opened. `isErased` is true if one of the values was erased. */
export type OpenedDocument = { readonly json: string; readonly isErased: boolean };

/** Opens every sealed value like `openSealed`, and also returns whether one of the values was erased. */
export const openDocument = async (keys: KeyVault, json: string): Promise<OpenedDocument> => {
  if (!json.includes('"$sealed"')) return { json, isErased: false };
  let isErased = false;
  const openOne = async (sealed: Sealed): Promise<string | null> => {
    const key = await keyOf((name) => keys.personalKey(name), sealed.subject);
    const opened = reportDamage(sealed.subject, () => unseal(key, sealed));
    isErased ||= opened === null;
    return opened;
  };
  return { json: JSON.stringify(await openValue(openOne, JSON.parse(json))), isErased };
};

const openValue = async (openOne: (sealed: Sealed) => Promise<string | null>, value: unknown): Promise<unknown> => {
  if (Array.isArray(value)) return Promise.all(value.map((item) => openValue(openOne, item)));
  if (!isObject(value)) return value;
  if (isSealed(value)) return openOne(value);
  const entries = await Promise.all(Object.entries(value).map(async ([name, member]) => [name, await openValue(openOne, member)] as const));
  return Object.fromEntries(entries);
};

/** `opens`: the keys open all values that are not erased. `does not open`: a key is missing or wrong. */
export type OpenResult = 'opens' | 'does not open' | 'erased';

/**
 * Tries to open the sealed values of a JSON text. Returns `erased` if all values are erased: for each of them, a key was
 * destroyed. Creates no key.
 */
export const tryToOpen = async (keys: KeyLookup, json: string): Promise<OpenResult> => {
  let result: OpenResult = 'erased';
  for (const sealed of findSealed(JSON.parse(json))) {
    const key = await keyOf((name) => keys.lookUp('personal', name), sealed.subject);
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

/**
 * Returns the key that seals the values of a subject. This key is derived from all keys of the subject, in their order. Returns
 * null if one of the subject's keys was destroyed, and undefined if one was never created.
 */
const keyOf = async (
  find: (name: string) => Promise<Uint8Array | null | undefined>,
  subject: Subject,
): Promise<Uint8Array | null | undefined> => {
  const keys = await Promise.all([subject].flat().map(find));
  if (keys.includes(null)) return null;
  const present = keys.filter((key) => key !== null && key !== undefined);
  return present.length === keys.length ? present.reduce((all, key) => createHmac('sha256', all).update(key).digest()) : undefined;
};

const seal = (key: Uint8Array, subject: Subject, plain: string, nonce: string): Sealed => ({
  $sealed: encrypt(key, plain, { owner: String(subject), nonce }),
  subject,
});

const unseal = (key: Uint8Array | null | undefined, { $sealed, subject }: Sealed): string | null =>
  key && $sealed ? decrypt(key, $sealed, String(subject)) : null;

/**
 * Runs `work`, which uses the key of `subject`. If `work` throws, the key or the sealed value is damaged. This function then
 * throws StoreUnavailable.
 */
const reportDamage = <T>(subject: Subject, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    const reason = `the key of ${String(subject)} does not open the data sealed with it: the key or the data is damaged. Restore a backup of the whole store`;
    throw new StoreUnavailable(reason, { cause: error });
  }
};

/**
 * Returns a sealed value without ciphertext, which nobody can open. It is stored in place of a value if a key of its subject
 * was destroyed.
 */
const erased = (subject: Subject): Sealed => ({ $sealed: '', subject });

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
