import { createHmac } from 'node:crypto';
import type { UserNames } from '../../domain/users/user.events.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';

/** The names of an account, in plain text. */
export type PlainNames = { readonly username: string; readonly email: string };

/** Returns the digests by which accounts claim their names. */
export type NameDigests = {
  username(tenant: string, username: string): string;
  of(tenant: string, names: PlainNames): UserNames;
};

/**
 * Names are compared case-folded and in the normalization form NFKC (contract 30.2), so that `Ann` and `ａｎｎ`
 * are the same name. Lower case after upper case folds more than lower case alone: `ß` and `SS`.
 */
const folded = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');

/** Creates digests with a key of the service: names are guessable, so a plain hash would reveal them. */
export const createNameDigests = async (keys: KeyVault): Promise<NameDigests> => {
  const key = await keys.serviceKey('user-names');
  // In hexadecimal, because the digest is part of a stream's name.
  const digest = (kind: string, tenant: string, name: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, tenant, folded(name)]))
      .digest('hex');
  const username = (tenant: string, name: string): string => digest('username', tenant, name);
  return {
    username,
    of: (tenant, names) => ({ usernameDigest: username(tenant, names.username), emailDigest: digest('email', tenant, names.email) }),
  };
};
