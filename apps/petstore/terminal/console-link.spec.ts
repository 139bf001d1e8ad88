import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../../libs/settings/settings.js';
import { mayGiveLink } from './console-link.js';

const REACHABLE = { HOST: '0.0.0.0', ACCESS_POLICY: 'strict' };
const PRODUCTION = { NODE_ENV: 'production', ACCESS_POLICY: 'strict', PUBLIC_URL: 'http://localhost:3000' };
const ISSUER = { OIDC_ISSUER: 'https://login.example.com', OIDC_AUDIENCE: 'petstore' };

/** Proves contract 43.11. */
describe('a process', () => {
  it.each([
    {},
    { HOST: 'localhost' },
    { HOST: '::1' },
    { HOST: '127.0.0.2', NODE_ENV: 'test' },
    { PUBLIC_URL: 'http://localhost:8080' },
    { PUBLIC_URL: 'http://[::1]:8080' },
    ISSUER,
    { ...ISSUER, CONSOLE_CLIENT_ID: 'pets-console' },
  ])('gives a link on a terminal with %j, and none elsewhere', (env) => {
    expect([mayGiveLink(parseSettings(env), true), mayGiveLink(parseSettings(env), false)]).toEqual([true, false]);
  });

  it.each([
    REACHABLE,
    { ...REACHABLE, HOST: '192.168.1.2' },
    { PUBLIC_URL: 'https://pets.example.com' },
    { TRUSTED_PROXIES: '127.0.0.1' },
    PRODUCTION,
  ])('gives no link with %j', (env) => expect(mayGiveLink(parseSettings(env), true)).toBe(false));
});
