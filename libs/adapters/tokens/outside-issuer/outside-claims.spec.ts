import { describe, expect, it } from '@jest/globals';
import { outsideClaims } from './outside-claims.js';

const TENANT = '0190a000-0000-7000-8000-000000000001';
const NAMES = { scopeClaim: 'scope', tenantClaim: 'tenant' };
const scopesOf = (payload: object, scopeClaim = 'scope') => {
  const claims = outsideClaims({ sub: 'ann', ...payload }, { ...NAMES, scopeClaim });
  return claims && [...claims.scopes];
};
const tenantOf = (payload: object, tenantClaim = 'tenant') => {
  const claims = outsideClaims({ sub: 'ann', ...payload }, { ...NAMES, tenantClaim });
  return claims && (claims.tenant ?? 'unbound');
};

/** Proves contract 33.2. */
describe('the claims of an outside issuer', () => {
  it('have subject, scopes and tenant', () =>
    expect(outsideClaims({ sub: 'ann', scope: 'ops chat:write', tenant: TENANT.toUpperCase() }, NAMES)).toEqual({
      subject: 'ann',
      scopes: new Set(['ops', 'chat:write']),
      tenant: TENANT,
    }));

  it.each([
    ['a text', { scope: 'read:pets  ops' }, 'scope', ['read:pets', 'ops']],
    ['a list', { scp: ['read:pets', 'ops'] }, 'scp', ['read:pets', 'ops']],
    ['an empty list', { scp: [] }, 'scp', []],
    ['a claim inside another', { realm_access: { roles: ['ops'] } }, 'realm_access.roles', ['ops']],
    ['a claim three deep', { resource_access: { pets: { roles: ['ops'] } } }, 'resource_access.pets.roles', ['ops']],
    ['a claim with dots in its name', { 'https://pets.example.com/roles': ['ops'] }, 'https://pets.example.com/roles', ['ops']],
    ['a whole name before a path', { 'a.b': 'ops', a: { b: 'chat:write' } }, 'a.b', ['ops']],
    ['no claim', {}, 'scope', []],
    ['no claim inside another', { realm_access: {} }, 'realm_access.roles', []],
    ['a name that every object has', {}, 'constructor.name', []],
    ['a list whose entry has a space', { scp: ['read:pets ops'] }, 'scp', ['read:pets ops']],
  ])('read scopes from %s', (_, payload, name, scopes) => expect(scopesOf(payload, name)).toEqual(scopes));

  it.each([7, null, true, { ops: true }, ['ops', 7], [['ops']]])('are rejected with the scopes %j', (scope) =>
    expect(scopesOf({ scope })).toBeNull(),
  );

  it.each(['ops', null, 7])('are rejected if the claim around the scopes is %j', (around) =>
    expect(scopesOf({ realm_access: around }, 'realm_access.roles')).toBeNull(),
  );

  it.each([
    [{ tenant: TENANT }, 'tenant', TENANT],
    [{ org: { id: TENANT } }, 'org.id', TENANT],
    [{}, 'tenant', 'unbound'],
    [{ org: {} }, 'org.id', 'unbound'],
  ])('in %j, with the tenant claim named %s, have the tenant %s', (payload, name, tenant) => expect(tenantOf(payload, name)).toBe(tenant));

  it.each([7, null, true, '', 'acme', [], {}, [TENANT], ` ${TENANT}`, `${TENANT}\n`])('are rejected with the tenant %j', (tenant) =>
    expect(tenantOf({ tenant })).toBeNull(),
  );
  it('are rejected if the claim around the tenant is a text', () => expect(tenantOf({ org: TENANT }, 'org.id')).toBeNull());

  it.each([{}, ...['', 'anonymous', 'a\nb', 'x'.repeat(256)].map((sub) => ({ sub }))])('are rejected with the subject of %j', (payload) =>
    expect(outsideClaims(payload, NAMES)).toBeNull(),
  );

  it.each(['at_hash', 'c_hash', 'events'])('are rejected with %s, which only ID tokens and logout tokens have', (name) =>
    expect(outsideClaims({ sub: 'ann', [name]: 'x' }, NAMES)).toBeNull(),
  );
});
