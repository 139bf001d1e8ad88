import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { IssuerUnavailable } from '../../ports/access-token.port.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { openSigningKeys } from './signing-keys.js';
import { memoryVault } from './signing-keys.fixtures.js';
import { createTokens, type Tokens } from './tokens.js';

const SEED = new Uint8Array(32).fill(7);
const ISSUER = 'http://127.0.0.1:3000';
const TENANT = '0190a000-0000-7000-8000-000000000001';
const START = Date.parse('2026-01-02T03:04:05Z');
const HOUR = 3600;

const tokensWith = async (seed: Uint8Array, clock: Clock): Promise<Tokens> =>
  createTokens({ keys: await openSigningKeys({ vault: memoryVault(clock, seed), clock }), issuer: () => ISSUER, clock });

const given = async () => {
  const clock = manualClock('2026-01-02T03:04:05Z');
  return { clock, tokens: await tokensWith(SEED, clock) };
};

const OUR_KEY = createPrivateKey({
  key: Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), SEED]),
  format: 'der',
  type: 'pkcs8',
});

/** Signs a token with the service's key. `change` must set the expiry, and may alter other claims. */
const signChanged = (
  change: (token: SignJWT) => SignJWT,
  header: { alg: string; typ?: string; kid?: string } = { alg: 'EdDSA', typ: 'at+jwt' },
): Promise<string> =>
  change(new SignJWT({ scope: 'ops' }).setProtectedHeader(header).setSubject('ann').setIssuer(ISSUER).setAudience('petstore')).sign(
    OUR_KEY,
  );

const inAnHour = (token: SignJWT): SignJWT => token.setExpirationTime(START / 1000 + HOUR);

describe('access tokens', () => {
  it('carry subject, scopes and tenant', async () => {
    const { tokens } = await given();
    const token = await tokens.sign({
      subject: 'ann',
      scopes: ['write:pets', 'ops'],
      tenant: TENANT.toUpperCase(),
      expiresInSeconds: HOUR,
    });
    expect(await tokens.verify(token)).toEqual({ subject: 'ann', scopes: new Set(['write:pets', 'ops']), tenant: TENANT });
  });

  it.each([
    ['ann', undefined, true],
    ['ann', 'console', true],
    ['cli:ann', 'console', true],
    ['cli:ann', undefined, false],
    ['cli:ann', 'ann', false],
    ['cli:ann', 'docs', false],
    ['client:01', '01', true],
    ['client:01', 'console', false],
    ['client:console', 'console', true],
  ])('with the subject %s for the client %s: %s (contract 32.9)', async (subject, client, isValid) => {
    const { tokens } = await given();
    const token = await tokens.sign({ subject, scopes: [], expiresInSeconds: HOUR, ...(client !== undefined && { client }) });
    const acting = client === undefined ? {} : { client };
    expect(await tokens.verify(token)).toEqual(isValid ? { subject, scopes: new Set(), ...acting } : null);
  });

  it('may carry no scope and no tenant', async () => {
    const { tokens } = await given();
    const token = await tokens.sign({ subject: 'ann', scopes: [], expiresInSeconds: HOUR });
    expect(await tokens.verify(token)).toEqual({ subject: 'ann', scopes: new Set() });
  });

  it.each([TENANT, 7, '', null])('of an earlier version for the adoption application %j are rejected', async (adoption) => {
    const { tokens } = await given();
    const token = await new SignJWT({ scope: '', adoption })
      .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
      .setSubject('ann')
      .setIssuer(ISSUER)
      .setAudience('petstore')
      .setExpirationTime(START / 1000 + HOUR)
      .sign(OUR_KEY);
    expect(await tokens.verify(token)).toBeNull();
  });

  it('are verified only once: the second result comes from the cache', async () => {
    const { tokens } = await given();
    const token = await tokens.sign({ subject: 'ann', scopes: ['ops'], expiresInSeconds: HOUR });
    const first = await tokens.verify(token);
    expect(tokens.verify(token)).toBe(first);
  });

  it('are rejected if they have the signature of a cached token, but another text', async () => {
    const { tokens } = await given();
    const token = await tokens.sign({ subject: 'ann', scopes: [], expiresInSeconds: HOUR });
    const ops = await tokens.sign({ subject: 'ann', scopes: ['ops'], expiresInSeconds: HOUR });
    for (let use = 1; use <= 3; use++) expect(await tokens.verify(token)).toMatchObject({ subject: 'ann' });
    const [header = '', , signature = ''] = token.split('.');
    const forged = [header, ops.split('.')[1], signature].join('.');
    for (const text of [forged, `${token} ${token}`, ` ${token}`]) expect(await tokens.verify(text)).toBeNull();
  });

  it('are rejected after their expiry, cached or not', async () => {
    const { tokens, clock } = await given();
    const cached = await tokens.sign({ subject: 'ann', scopes: [], expiresInSeconds: HOUR });
    const uncached = await tokens.sign({ subject: 'bob', scopes: [], expiresInSeconds: HOUR });
    await tokens.verify(cached);
    clock.advance(HOUR * 1000);
    expect(await tokens.verify(cached)).toBeNull();
    expect(await tokens.verify(uncached)).toBeNull();
  });

  it('are accepted only by a verifier with the same seed', async () => {
    const { tokens, clock } = await given();
    const other = await tokensWith(new Uint8Array(32).fill(8), clock);
    const foreign = await other.sign({ subject: 'ann', scopes: [], expiresInSeconds: HOUR });
    clock.advance(1_000);
    expect(await tokens.verify(foreign)).toBe('foreign key');
    const same = await tokensWith(SEED, clock);
    expect(await tokens.verify(await same.sign({ subject: 'ann', scopes: [], expiresInSeconds: HOUR }))).not.toBeNull();
  });

  it('of an unknown key are not rejected while the keys cannot be read', async () => {
    const { clock } = await given();
    const vault = memoryVault(clock, SEED);
    const tokens = createTokens({ keys: await openSigningKeys({ vault, clock }), clock });
    const other = createTokens({ keys: await openSigningKeys({ vault: memoryVault(clock, new Uint8Array(32).fill(8)), clock }), clock });
    const unknown = await other.sign({ subject: 'ann', scopes: [], expiresInSeconds: HOUR });
    vault.failNextRead(new StoreUnavailable('the servers are down'));
    clock.advance(1_000);
    await expect(Promise.resolve(tokens.verify(unknown))).rejects.toBeInstanceOf(IssuerUnavailable);
  });

  it('with the right issuer, audience, subject and expiry are accepted', async () => {
    expect(await (await given()).tokens.verify(await signChanged(inAnHour))).toEqual({ subject: 'ann', scopes: new Set(['ops']) });
  });

  it('name the public address as their issuer, and are also accepted with a name of the machine', async () => {
    const { tokens, clock } = await given();
    const issuerOf = (token: string) => decodeJwt(token).iss;
    const token = await tokens.sign({ subject: 'ann', scopes: [], expiresInSeconds: HOUR });
    const local = createTokens({ keys: await openSigningKeys({ vault: memoryVault(clock, SEED), clock }), clock });
    const made = await local.sign({ subject: 'ann', scopes: [], expiresInSeconds: HOUR });
    expect([issuerOf(token), issuerOf(made)]).toEqual([ISSUER, 'petstore']);
    expect([await tokens.verify(made), await local.verify(token)]).toEqual(Array(2).fill({ subject: 'ann', scopes: new Set() }));
    for (const issuer of ['http://localhost:3000', 'http://[::1]:4000', 'http://127.0.0.2/shop'])
      expect(await tokens.verify(await signChanged((changed) => inAnHour(changed).setIssuer(issuer)))).not.toBe('foreign issuer');
  });

  it.each(['https://shop.example', 'https://127.0.0.1', 'http://127.0.0.1.evil.example', 'Petstore', ''])(
    'of the issuer %j are rejected, with the reason',
    async (issuer) => {
      const { tokens } = await given();
      const changed = await signChanged((token) => inAnHour(token).setIssuer(issuer));
      expect([await tokens.verify(changed), await tokens.verify(changed)]).toEqual(['foreign issuer', 'foreign issuer']);
      const expired = await signChanged((token) => token.setIssuer(issuer).setExpirationTime(START / 1000 - 1));
      expect(await tokens.verify(expired)).toBeNull();
    },
  );

  it.each<[string, (token: SignJWT) => SignJWT]>([
    ['for another audience', (token) => inAnHour(token).setAudience('warehouse')],
    ['that are not valid yet', (token) => inAnHour(token).setNotBefore(START / 1000 + 60)],
    ['that have expired', (token) => token.setExpirationTime(START / 1000 - 1)],
    ['without an expiry', (token) => token],
    ['without a subject', (token) => inAnHour(token).setSubject('')],
  ])('%s are rejected', async (_, change) => expect(await (await given()).tokens.verify(await signChanged(change))).toBeNull());

  it('that name no key, or name an unknown key and are no access tokens, are rejected without that reason', async () => {
    const { tokens, clock } = await given();
    const kid = 'x'.repeat(43);
    const verify = async (header: { typ: string; kid: string }) => {
      // The keys are read at most once a second.
      clock.advance(1_000);
      return tokens.verify(await signChanged(inAnHour, { alg: 'EdDSA', ...header }));
    };
    for (const header of [
      { typ: 'JWT', kid },
      { typ: 'at+jwt', kid: 'another' },
      { typ: 'at+jwt', kid: `${kid}x` },
    ])
      expect(await verify(header)).toBeNull();
    expect(await verify({ typ: 'at+jwt', kid })).toBe('foreign key');
  });

  it('of another type, such as ID tokens, are rejected', async () => {
    expect(await (await given()).tokens.verify(await signChanged(inAnHour, { alg: 'EdDSA', typ: 'JWT' }))).toBeNull();
  });

  it('that are signed with a shared secret, or not signed, are rejected', async () => {
    const { tokens } = await given();
    const shared = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
      .setSubject('ann')
      .setIssuer(ISSUER)
      .setAudience('petstore')
      .setExpirationTime(START / 1000 + HOUR)
      .sign(SEED);
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const unsigned = `${part({ alg: 'none', typ: 'at+jwt' })}.${part({ sub: 'ann', iss: ISSUER, aud: 'petstore', exp: START / 1000 + HOUR })}.`;
    expect(await tokens.verify(shared)).toBeNull();
    expect(await tokens.verify(unsigned)).toBeNull();
  });

  it.each(['', 'abc', 'a.b.c', 'x'.repeat(100_000)])('are rejected when they are not JWTs', async (text) =>
    expect(await (await given()).tokens.verify(text)).toBeNull(),
  );
});
