import type { AccessPolicy } from '../../../../libs/settings/settings.js';

/** The scopes of tokens and their meaning in the interface description (contract 5.5). */
export const SCOPES = {
  'read:pets': 'view pets; no operation requires it',
  'write:pets': 'create, update and delete pets, list every status',
  'write:orders': 'see every order, ship and deliver orders',
  'write:webhooks': 'register webhook endpoints and see their deliveries',
} as const;

export type Scope = keyof typeof SCOPES;

/** The scope that has no rate limit and acts in any tenant (contract 5.5). */
export const OPS = 'ops';

/**
 * The credential that an operation requires: none, a valid token, or a token with a scope. `owner` is a
 * valid token; its subject accesses only its own resources, unless it is staff (contract 5.8).
 */
export type Requirement = 'nothing' | 'token' | 'owner' | { readonly scope: Scope };

/** The requirement of an operation under each access policy (contract 5.7). */
export type Access = Readonly<Record<AccessPolicy, Requirement>>;

const always = (requirement: Requirement): Access => ({ documented: requirement, strict: requirement });

export const PUBLIC = always('nothing');
export const ANY_TOKEN = always('token');
export const OWNER = always('owner');
/** Contract 5.7. */
export const OWNER_WHEN_STRICT: Access = { documented: 'nothing', strict: 'owner' };
/** Requires a token with the scope. */
export const withScope = (scope: Scope): Access => always({ scope });
