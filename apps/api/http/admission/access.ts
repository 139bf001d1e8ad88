import type { AccessPolicy } from '../../../../libs/settings/settings.js';

/** The scopes of tokens, with their descriptions for the OpenAPI document (contract 5.5). */
export const SCOPES = {
  'read:pets': 'view pets; no operation requires it',
  'write:pets': 'create, update and delete pets, list pets of every status',
  'write:orders': 'see every order, ship and deliver orders',
  'write:webhooks': 'register webhook endpoints and see their deliveries',
  'audit:read': 'read the history of every resource',
  'chat:write': 'use chat completions',
} as const;

export type Scope = keyof typeof SCOPES;

/** The scope of operators, who have no rate limit and may act in any tenant (contract 5.5). */
export const OPS = 'ops';

/**
 * The token that an operation requires: none, any valid token, or a token with a scope. `owner`, `account`, `applicant`
 * and `subject` require any valid token, and restrict callers without a staff scope to their own data (contract 5.8).
 * `owner` is for orders, `account` for accounts, `applicant` for adoption applications, and `subject` for other data of
 * the token's subject. Only `applicant` accepts a token that was issued for a single adoption application (contract 36.7).
 */
export type Requirement = 'nothing' | 'token' | 'owner' | 'account' | 'applicant' | 'subject' | ScopeRequirement;

/** A token with `scope`, or with the scope `or` if that is set. */
export type ScopeRequirement = { readonly scope: Scope | typeof OPS; readonly or?: typeof OPS };

/**
 * The staff scope of each requirement that restricts callers to their own data. Callers with this scope may access the
 * data of all users (contract 5.5). The scope is null if no scope gives such access.
 */
export const STAFF: Readonly<Partial<Record<Extract<Requirement, string>, Scope | typeof OPS | null>>> = {
  owner: 'write:orders',
  account: OPS,
  applicant: 'write:pets',
  subject: null,
};

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
/** Requires the token of the adoption application, the token of its applicant, or the staff scope (contract 36.7). */
export const APPLICANT = always('applicant');
/** Requires any token under the access policy `strict`, and no token otherwise (contract 5.7). */
export const ANY_TOKEN_WHEN_STRICT: Access = { documented: 'nothing', strict: 'token' };
/** Requires a token, and gives access only to the data of its subject. */
export const SUBJECT = always('subject');
export const OPERATORS = always({ scope: OPS });
/** Requires a token with the scope `audit:read` or `ops`, of which each shows a part. */
export const AUDITORS_AND_OPERATORS = always({ scope: 'audit:read', or: OPS });

/** Returns the scopes of which a token needs one. */
export const scopesOf = ({ scope, or }: ScopeRequirement): readonly (Scope | typeof OPS)[] => (or === undefined ? [scope] : [scope, or]);
/** Requires a token with the scope. */
export const withScope = (scope: Scope): Access => always({ scope });
