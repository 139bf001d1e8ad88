import type { AccessPolicy } from '../../libs/settings/settings.js';
import type { Access } from '../../apps/api/http/admission/access.js';
import type { OperationRecord } from '../../apps/api/http/operation.js';
import type { ExampleRequest } from './example-requests.js';

/** The scopes of a user's token, and those of a staff token. */
export const USER_SCOPES = 'read:pets chat:write';
export const ALL_SCOPES = 'read:pets write:pets write:orders write:webhooks ops audit:read chat:write';

/** A caller: the token and the headers of its requests. */
export type Caller = {
  readonly name: string;
  readonly token: 'none' | 'expired' | 'valid';
  /**
   * The subject: the owner of the resources, another user or staff of the tenant, a program of the tenant, or (`stranger`) a user of
   * another tenant.
   */
  readonly user: 'owner' | 'another user' | 'staff' | 'program' | 'stranger';
  readonly scopes: 'user' | 'all' | 'all but the required one';
  /** The tenant to which the token is bound. Null for an unbound one. */
  readonly boundTo: 'own tenant' | 'other tenant' | null;
  /** Whether the request names the tenant of the resources in X-Tenant-ID. */
  readonly header: boolean;
};

const caller = (name: string, properties: Partial<Caller>): Caller => ({
  name,
  token: 'valid',
  user: 'owner',
  scopes: 'user',
  boundTo: 'own tenant',
  header: false,
  ...properties,
});

/** The columns of the authorization matrix. Its rows are the operations. */
export const CALLERS: readonly Caller[] = [
  caller('no token', { token: 'none', boundTo: null, header: true }),
  caller('an expired token', { token: 'expired', scopes: 'all' }),
  caller('the token of another tenant', { user: 'stranger', scopes: 'all', boundTo: 'other tenant' }),
  caller('the token of another tenant and the header', { user: 'stranger', scopes: 'all', boundTo: 'other tenant', header: true }),
  caller('the token of another user', { user: 'another user' }),
  caller('the token of another user with every other scope', { user: 'another user', scopes: 'all but the required one' }),
  caller('the token of a program with every other scope', { user: 'program', scopes: 'all but the required one' }),
  caller('the token of the owner', {}),
  caller('the token of staff', { user: 'staff', scopes: 'all' }),
  caller('the token of staff of the whole store', { user: 'staff', scopes: 'all', boundTo: null, header: true }),
];

const STATUS_OF_PROGRAM: Readonly<Record<string, number>> = { getCurrentUser: 404, endCurrentToken: 204 };

type Requirement = Access[AccessPolicy];

/** For each requirement that restricts callers to their own data: the scope with which staff access everybody's data. */
const STAFF_SCOPES: Readonly<Record<string, string>> = { owner: 'write:orders', account: 'ops', applicant: 'write:pets' };

/** Returns the scopes of which an operation requires one. An operation for owners requires it only of callers who are not the owner. */
const decisiveScopes = (requirement: Requirement): readonly (string | undefined)[] =>
  typeof requirement === 'object' ? [requirement.scope, requirement.or] : [STAFF_SCOPES[requirement]];

/** Returns the scopes of a caller's token. */
export const scopesOf = ({ scopes }: Caller, requirement: Requirement): string => {
  if (scopes === 'user') return USER_SCOPES;
  const missing = scopes === 'all' ? [] : decisiveScopes(requirement);
  const all = ALL_SCOPES.split(' ').filter((scope) => !missing.includes(scope));
  return all.join(' ');
};

/** Returns the status of a denied request, or null for a request that a caller may send. */
const denial = (operation: OperationRecord, requirement: Requirement, from: Caller, { on, elsewhere = 404 }: ExampleRequest) => {
  const has = (scope: string | undefined) => scope !== undefined && scopesOf(from, requirement).split(' ').includes(scope);
  if (from.token === 'expired') return 401;
  if (from.token === 'none') return requirement === 'nothing' ? null : 401;
  if (typeof requirement === 'object' && !decisiveScopes(requirement).some(has)) return 403;
  if (from.boundTo === 'other tenant' && from.header) return 403;
  if (operation.wholeStore) return requirement !== 'nothing' && from.boundTo !== null ? 403 : null;
  if (from.boundTo === 'other tenant') return on ? elsewhere : null;
  if (from.user === 'program' && operation.notForClients && !has('ops')) return 403;
  const isRestricted = typeof requirement === 'string' && ['owner', 'account', 'applicant', 'subject'].includes(requirement);
  if (!isRestricted || !operation.path.includes('{') || from.user === 'owner') return null;
  if (decisiveScopes(requirement).some(has)) return null;
  // Contract 36.7. All other data of another user is not found.
  return requirement === 'applicant' ? 403 : 404;
};

/**
 * Returns the status that contract 5.4, 5.6, 5.7, 5.8 and 6.2 to 6.5 state for an operation and a caller. This
 * function calls none of the functions of the service.
 */
export const expectedStatus = (
  operation: OperationRecord,
  policy: AccessPolicy,
  from: Caller,
  example: ExampleRequest,
): { readonly status: number; readonly isDenied: boolean } => {
  const denied = denial(operation, operation.access[policy], from, example);
  // A program has no account, and its token has a session.
  const ofProgram = from.user === 'program' ? STATUS_OF_PROGRAM[operation.id] : undefined;
  return { status: denied ?? ofProgram ?? example.status ?? operation.success.status, isDenied: denied !== null };
};
