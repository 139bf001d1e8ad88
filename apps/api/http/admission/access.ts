import type { AccessPolicy } from '../../../../libs/settings/settings.js';

/** The scopes of tokens, with their descriptions for the OpenAPI document (contract 5.5). */
export const SCOPES = {
  'read:pets': 'view pets; no operation requires it',
  'write:pets': 'create, update and delete pets, list every status',
  'write:orders': 'see every order, ship and deliver orders',
  'write:webhooks': 'register webhook endpoints and see their deliveries',
} as const;

export type Scope = keyof typeof SCOPES;

/** The scope for operators, without a rate limit and for any tenant (contract 5.5). */
export const OPS = 'ops';

/**
 * The token that an operation requires: none, any valid token, or a token with a scope. `owner` and `account`
 * also accept any valid token. Without a staff scope, they give access only to the orders of its subject, or
 * to its account (contract 5.8).
 */
export type Requirement = 'nothing' | 'token' | 'owner' | 'account' | { readonly scope: Scope | typeof OPS };

/** The requirement of an operation under each access policy (contract 5.7). */
export type Access = Readonly<Record<AccessPolicy, Requirement>>;

const always = (requirement: Requirement): Access => ({ documented: requirement, strict: requirement });

export const PUBLIC = always('nothing');
export const ANY_TOKEN = always('token');
export const OWNER = always('owner');
/** Requires the owner's token under the access policy `strict`, and no token otherwise (contract 5.7). */
export const OWNER_WHEN_STRICT: Access = { documented: 'nothing', strict: 'owner' };
export const ACCOUNT = always('account');
/** Requires the account's token under the access policy `strict`, and no token otherwise (contract 5.7). */
export const ACCOUNT_WHEN_STRICT: Access = { documented: 'nothing', strict: 'account' };
export const OPERATORS = always({ scope: OPS });
/** Requires a token with the scope. */
export const withScope = (scope: Scope): Access => always({ scope });
