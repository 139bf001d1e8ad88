import { createHmac } from 'node:crypto';
import type { KeyVault, PersonalKeyList } from '../../eventsourcing/ports/key-vault.port.js';

/**
 * The erasures of a store, kept apart from its backups (contract 38.2). After a backup is restored, `applyErasures` erases the
 * listed persons again. The list names nobody: its digests can be computed only with a key of the store.
 */
export type ErasureList = {
  readonly format: typeof ERASURE_FORMAT;
  /** The digest of a fixed text. It shows whether a list belongs to the keys of a store. */
  readonly check: string;
  /** The digests of the names of destroyed keys, sorted as texts. */
  readonly erased: readonly string[];
};

export const ERASURE_FORMAT = 'petstore-erasures/1';
const CHECK = 'check';

type Keys = KeyVault & PersonalKeyList;

/** An erasure list belongs to the keys of another store. */
export class ForeignErasures extends Error {
  override readonly name = 'ForeignErasures';
}

/** Returns the erasures that a vault records, including those of persons whose keys this vault never had. */
export const listErasures = async (keys: Keys): Promise<ErasureList> => {
  const digest = await createDigest(keys);
  const erased = new Set<string>();
  for await (const { name, isDestroyed } of keys.personalKeys())
    if (isDestroyed) erased.add(digestOfUnknown(name) ?? digest(`key ${name}`));
  return { format: ERASURE_FORMAT, check: digest(CHECK), erased: [...erased].sort() };
};

/**
 * Destroys the keys whose digests are in a list. Returns the names of all destroyed keys that the vault had, including those
 * destroyed before this call. For a list of another store, rejects with ForeignErasures and changes nothing. A repeated call
 * does nothing.
 *
 * A vault that was restored from an old backup may lack a listed key. For such a key, this records a destroyed key whose name
 * contains the digest. So the next list of this vault contains the erasure, too.
 */
export const applyErasures = async (keys: Keys, { check, erased }: ErasureList): Promise<readonly string[]> => {
  const digest = await createDigest(keys);
  if (digest(CHECK) !== check) throw new ForeignErasures('the list of erasures belongs to another store');
  const listed = new Set(erased);
  const [before, now]: [string[], string[]] = [[], []];
  for await (const { name, isDestroyed } of keys.personalKeys()) {
    if (isDestroyed) before.push(name);
    else if (listed.has(digest(`key ${name}`))) now.push(name);
    listed.delete(digestOfUnknown(name) ?? digest(`key ${name}`));
  }
  for (const name of [...now, ...[...listed].map(nameOfUnknown)]) await keys.destroyPersonalKey(name);
  return [...before, ...now];
};

/** The prefix of the name of an erased key that this vault never had. The digest of that key follows the prefix. */
const UNKNOWN = 'erased:';
const nameOfUnknown = (digest: string): string => UNKNOWN + digest;
const digestOfUnknown = (name: string): string | null => (name.startsWith(UNKNOWN) ? name.slice(UNKNOWN.length) : null);

/**
 * Returns the function that makes the digests. Its key is derived from the service key `idempotency`. Every backup has that
 * service key, because a store creates it at its first start. If a store is restored without it, no earlier list matches.
 */
const createDigest = async (keys: KeyVault): Promise<(text: string) => string> => {
  const key = createHmac('sha256', await keys.serviceKey('idempotency'))
    .update('erasures')
    .digest();
  return (text) => createHmac('sha256', key).update(text).digest('base64url');
};
