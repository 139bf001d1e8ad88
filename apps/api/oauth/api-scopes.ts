import { accountScopes } from '../../../libs/application/users/account-scopes.js';

/** The scopes that people can grant to clients, with their texts on the consent page (contract 5.5, 32.3). */
export const SCOPE_WORDS = {
  openid: 'Know who you are in the pet store',
  profile: 'See your name and username',
  email: 'See your email address',
  'read:pets': 'See the pets',
  'chat:write': 'Chat with the pet advisor as you',
  'write:pets': 'Create, change and delete pets',
  'write:orders': 'See all orders, ship and deliver them',
  'write:webhooks': 'Register webhook endpoints and see their deliveries',
  'audit:read': 'Read the audit log',
  ops: 'Operate the service in every tenant',
  offline_access: 'Stay signed in for 30 days',
} as const satisfies Readonly<Record<string, string>>;

/** The scopes of OpenID Connect. Every account may grant them. */
const OPENID_SCOPES = ['openid', 'profile', 'email'] as const;

/** The scopes that an access token may contain. `offline_access` is not one of them: it concerns only the refresh token. */
export const TOKEN_SCOPES: readonly string[] = Object.keys(SCOPE_WORDS).filter((scope) => scope !== 'offline_access');

/** Returns the scopes that an account may grant to a client. */
export const grantableScopes = (account: { readonly isStaff: boolean }): ReadonlySet<string> =>
  new Set([...OPENID_SCOPES, ...accountScopes(account)]);
