import { describe, expect, it } from '@jest/globals';
import { parseSettings, SettingsError, type Environment } from './settings.js';

const problemsOf = (env: Environment): readonly string[] => {
  try {
    parseSettings(env);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
};

const ISSUER = 'https://login.example.com/realms/pets';
const SET = { OIDC_ISSUER: ISSUER, OIDC_AUDIENCE: 'petstore' };

/** Proves contract 33.1 and contract 33.3. */
describe('the settings of an outside issuer', () => {
  it('consist of an issuer and an audience, with default names for the claims', () => {
    expect(parseSettings({}).outsideIssuer).toBeUndefined();
    expect(parseSettings(SET).outsideIssuer).toEqual({ issuer: ISSUER, audience: 'petstore', scopeClaim: 'scope', tenantClaim: 'tenant' });
    expect(
      parseSettings({ ...SET, OIDC_SCOPE_CLAIM: 'realm_access.roles', OIDC_TENANT_CLAIM: 'https://pets/tenant' }).outsideIssuer,
    ).toEqual(expect.objectContaining({ scopeClaim: 'realm_access.roles', tenantClaim: 'https://pets/tenant' }));
    expect(parseSettings({ ...SET, CONSOLE_CLIENT_ID: 'pets-console' }).outsideIssuer?.consoleClientId).toBe('pets-console');
  });

  it.each(['https://login.example.com/', 'HTTPS://Login.example.com', 'https://login.example.com:443/a/'])(
    'keep the text of %s, which the claim iss must equal',
    (issuer) => expect(parseSettings({ ...SET, OIDC_ISSUER: issuer }).outsideIssuer?.issuer).toBe(issuer),
  );

  it.each([
    [{ OIDC_ISSUER: ISSUER }, /^OIDC_AUDIENCE is missing/],
    [{ OIDC_AUDIENCE: 'petstore' }, /^OIDC_ISSUER is missing: without it OIDC_AUDIENCE/],
    [{ OIDC_SCOPE_CLAIM: 'scp' }, /^OIDC_ISSUER is missing: without it OIDC_SCOPE_CLAIM/],
    [{ OIDC_TENANT_CLAIM: 'org' }, /^OIDC_ISSUER is missing: without it OIDC_TENANT_CLAIM/],
    [{ CONSOLE_CLIENT_ID: 'pets-console' }, /^OIDC_ISSUER is missing: without it CONSOLE_CLIENT_ID/],
    [{ ...SET, OIDC_ISSUER: 'http://login.example.com' }, /^OIDC_ISSUER has no TLS/],
    [{ ...SET, OIDC_ISSUER: 'http://127.0.0.1.example.com' }, /^OIDC_ISSUER has no TLS/],
    [{ ...SET, OIDC_ISSUER: 'http://10.0.0.1' }, /^OIDC_ISSUER has no TLS/],
    [{ ...SET, OIDC_ISSUER: 'http://127.0.0.1:9', HOST: '0.0.0.0', ACCESS_POLICY: 'strict' }, /^OIDC_ISSUER has no TLS/],
    [{ ...SET, OIDC_ISSUER: 'https://pets.example.com/', PUBLIC_URL: 'https://pets.example.com' }, /^OIDC_ISSUER equals PUBLIC_URL/],
    [{ ...SET, OIDC_ISSUER: 'login.example.com' }, /^OIDC_ISSUER is "login.example.com": expected/],
  ])('reject %j', (env, message) => expect(problemsOf(env)).toEqual([expect.stringMatching(message)]));

  it.each(['http://127.0.0.1:8080/realms/pets', 'http://localhost:8080', 'http://[::1]:8080'])(
    'accept %s while HOST is loopback',
    (issuer) => expect(problemsOf({ ...SET, OIDC_ISSUER: issuer })).toEqual([]),
  );
});
