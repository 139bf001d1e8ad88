import type { AccessPolicy } from '../../../../libs/settings/settings.js';

/** What a token may permit, as clients are told. */
export const SCOPES = {
  'read:pets': 'view pet information',
  'write:pets': 'create and update pets',
  'write:orders': "see and move on everybody's orders",
  'write:webhooks': 'keep webhook endpoints, and see what was delivered to them',
} as const;

export type Scope = keyof typeof SCOPES;

/** "scope `ops` is exempt" from rate limits, and acts in any tenant. */
export const OPS = 'ops';

/**
 * What an operation requires of its caller: nothing; a valid token; a token with a scope; or a token whose subject then
 * sees and changes only its own resources, unless it is staff's.
 */
export type Requirement = 'nothing' | 'token' | 'owner' | { readonly scope: Scope };

/** Who may call an operation, under each policy. "documented (default): exactly the credentials the endpoint table declares." */
export type Access = Readonly<Record<AccessPolicy, Requirement>>;

const always = (requirement: Requirement): Access => ({ documented: requirement, strict: requirement });

export const ANYBODY = always('nothing');
export const ANY_TOKEN = always('token');
export const OWNER = always('owner');
/** "`strict`: orders, payments, callbacks and users need a token, and an owner or staff." */
export const OWNER_WHEN_STRICT: Access = { documented: 'nothing', strict: 'owner' };
/** Callers whose token has the scope. */
export const withScope = (scope: Scope): Access => always({ scope });
