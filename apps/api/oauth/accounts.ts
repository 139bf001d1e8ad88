import type { QueryBus } from '@nestjs/cqrs';
import type { Account, AccountClaims } from 'oidc-provider';
import { FindAccount } from '../../../libs/application/users/user.queries.js';

/** The fields of an account that the authorization server reads. `isStaff` decides which scopes the account may grant. */
export type AccountView = {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly isStaff: boolean;
};

/** Reads accounts. */
export type Accounts = {
  /** Returns an account of this tenant, or null. A disabled account counts as missing. */
  find(id: string, tenant: string): Promise<AccountView | null>;
};

/** Creates `Accounts`, which reads each account with a query. */
export const createAccounts = (queries: QueryBus): Accounts => ({
  async find(id, tenant) {
    const found = await queries.execute(new FindAccount({ id }, tenant));
    if (!found || found.isDisabled) return null;
    return { ...(JSON.parse(found.json) as Omit<AccountView, 'isStaff'>), isStaff: found.isStaff };
  },
});

/** The claims of each scope (OpenID Connect Core, 5.4). */
export const CLAIMS = {
  openid: ['sub'],
  profile: ['name', 'given_name', 'family_name', 'preferred_username'],
  email: ['email'],
} as const;

/** Returns the claims about an account. */
export const claimsOf = ({ id, username, email, firstName, lastName }: AccountView): AccountClaims => ({
  sub: id,
  name: [firstName, lastName].filter(Boolean).join(' ') || username,
  ...(firstName !== undefined && { given_name: firstName }),
  ...(lastName !== undefined && { family_name: lastName }),
  preferred_username: username,
  email,
});

/** An account in the form that oidc-provider expects, and with `isStaff`, which decides about scopes. */
export type ProviderAccount = Account & Pick<AccountView, 'isStaff'>;

/** Converts an account to the form that oidc-provider expects. */
export const toProviderAccount = (account: AccountView): ProviderAccount => ({
  accountId: account.id,
  isStaff: account.isStaff,
  claims: async () => claimsOf(account),
});
