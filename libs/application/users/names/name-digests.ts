import { createHmac } from 'node:crypto';
import type { UserNames } from '../../../domain/users/user.events.js';
import type { KeyVault } from '../../../eventsourcing/ports/key-vault.port.js';
import type { RequestContext } from '../../request.js';
import { comparableName } from './comparable-name.js';

/** The names of an account, in plain text. */
export type PlainNames = { readonly username: string; readonly email: string };

/** Computes the digests of names. Accounts claim the digests, so that no stream contains a name in plain text. */
export type NameDigests = {
  username(tenant: string, username: string): string;
  of(tenant: string, names: PlainNames): UserNames;
  /** Returns the digest of a network from which somebody signs in to an account. */
  network(account: string, network: string): string;
  /** Returns whether only an operator may give this username to an account, and the caller is none (contract 30.9). */
  isReserved(request: Pick<RequestContext, 'tenant' | 'isOperator'>, names: UserNames): boolean;
};

/** The username of the first staff account (contract 30.9). */
export const FIRST_STAFF_USERNAME = 'admin';

/**
 * Creates the digests with a key of the service. A plain hash would reveal a name: an attacker could compare the hash with the
 * hashes of guessed names.
 */
export const createNameDigests = async (keys: KeyVault): Promise<NameDigests> => {
  const key = await keys.serviceKey('user-names');
  // In hexadecimal, because the digest is part of a stream's name.
  const digest = (kind: string, tenant: string, name: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([kind, tenant, comparableName(name)]))
      .digest('hex');
  const username = (tenant: string, name: string): string => digest('username', tenant, name);
  return {
    username,
    network: (account, network) => digest('network', account, network),
    isReserved: ({ tenant, isOperator }, { usernameDigest }) =>
      isOperator !== true && usernameDigest === username(tenant, FIRST_STAFF_USERNAME),
    of: (tenant, names) => ({ usernameDigest: username(tenant, names.username), emailDigest: digest('email', tenant, names.email) }),
  };
};
