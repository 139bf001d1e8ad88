import { describe, expect, it } from '@jest/globals';
import { claimsOf, PAGES, tenantChoice, visiblePages, type Claims } from './access.js';

const CLAIMS = { scopeClaim: 'scope', tenantClaim: 'tenant' };

const token = (payload: object): string => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`;
const claims = (scope: string, tenant?: string): Claims => claimsOf(token({ sub: 'ann', scope, tenant }), CLAIMS) as Claims;

describe('the claims of a token', () => {
  it('are its scopes, its end and its tenant', () =>
    expect(claimsOf(token({ sub: 'änn', scope: 'ops audit:read', exp: 60, tenant: 't', sid: 's' }), CLAIMS)).toEqual({
      subject: 'änn',
      scopes: new Set(['ops', 'audit:read']),
      tenant: 't',
      endsAt: 60_000,
      hasSession: true,
    }));

  it.each([
    [
      { scp: ['ops', 'audit:read'], 'https://pets/tenant': 't' },
      { scopeClaim: 'scp', tenantClaim: 'https://pets/tenant' },
    ],
    [
      { realm_access: { roles: ['ops', 'audit:read'] }, tenant: 't' },
      { scopeClaim: 'realm_access.roles', tenantClaim: 'tenant' },
    ],
    [
      { scope: 'ops audit:read', tenant: 't' },
      { scopeClaim: 'scp', tenantClaim: 'https://pets/tenant' },
    ],
  ])('are read where the issuer puts them, and of the store’s own tokens where the store does: %#', (payload, names) =>
    expect(claimsOf(token(payload), names)).toMatchObject({ scopes: new Set(['ops', 'audit:read']), tenant: 't' }),
  );

  it.each(['', 'no token', 'a.b', 'a.b.c', `e30.${btoa('7 {')}.x`])('are null of %j', (text) => expect(claimsOf(text, CLAIMS)).toBeNull());
});

describe('a token sees', () => {
  it('every page with both scopes', () => expect(visiblePages(claims('ops audit:read'))).toEqual(PAGES));

  it('neither streams nor audit without audit:read', () => {
    expect(visiblePages(claims('ops'))).toEqual([
      'overview',
      'stuck',
      'parked',
      'projections',
      'consumers',
      'deliveries',
      'accounts',
      'clients',
      'keys',
    ]);
  });

  it('only streams and audit without ops', () => expect(visiblePages(claims('audit:read'))).toEqual(['streams', 'audit']));

  it('besides, only the accounts and clients of its tenant if it is bound to one', () => {
    expect(visiblePages(claims('ops', 't'))).toEqual(['accounts', 'clients']);
    expect(visiblePages(claims('ops audit:read', 't'))).toEqual(['streams', 'accounts', 'clients', 'audit']);
  });

  it('nothing with other scopes', () => expect(visiblePages(claims('write:pets'))).toEqual([]));

  it('the tenants that it may choose', () => {
    expect(tenantChoice(claims('ops audit:read'))).toEqual({ isFree: true, hasAll: true });
    for (const one of ['audit:read', 'ops']) expect(tenantChoice(claims(one))).toEqual({ isFree: true, hasAll: false });
    expect(tenantChoice(claims('ops audit:read', 't'))).toEqual({ isFree: false, hasAll: false });
  });
});
