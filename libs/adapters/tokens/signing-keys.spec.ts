import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, decodeProtectedHeader, importJWK, SignJWT } from 'jose';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { openSigningKeys, type TokenKeys } from './signing-keys.js';
import { memoryVault, type MemoryVault } from './signing-keys.fixtures.js';
import { createTokens } from './tokens.js';

const HOUR = 3600;
const SECOND = 1_000;
const SEED = new Uint8Array(32).fill(7);
const CLAIMS = { subject: 'ann', scopes: ['ops'], expiresInSeconds: HOUR };
const VERIFIED = { subject: 'ann', scopes: new Set(['ops']) };

/** Opens the signing keys of a vault, as a process does at its start. */
const given = async (vault: MemoryVault = memoryVault(SEED), clock = manualClock()) => {
  const keys = await openSigningKeys({ vault, clock });
  return { vault, clock, keys, tokens: createTokens({ keys, clock }) };
};

const kids = (keys: TokenKeys): readonly string[] => keys.list().map(({ kid }) => kid);

/** Signs a token without the header `kid`, as an earlier version did. */
const signWithoutKid = async (keys: TokenKeys): Promise<string> => {
  const jwk = keys.privateJwks().at(-1);
  if (!jwk) throw new Error('there is no key');
  return new SignJWT({ scope: 'ops' })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
    .setSubject('ann')
    .setIssuer('petstore')
    .setAudience('petstore')
    .setExpirationTime(manualClock().now().getTime() / 1000 + HOUR)
    .sign(await importJWK(jwk, 'EdDSA'));
};

/** Proves contract 31.1, contract 31.2 and contract 31.5. */
describe('signing keys', () => {
  it('are created at the first start, and are the same at the second start', async () => {
    const vault = memoryVault();
    const { keys } = await given(vault);
    expect(keys.list()).toHaveLength(1);
    expect((await given(vault)).keys.list()).toEqual(keys.list());
  });

  it('are named by the thumbprint of the public key, which every token carries', async () => {
    const { keys, tokens } = await given();
    const [{ kty, crv, x } = { kty: 'OKP' as const, crv: '', x: '' }] = keys.privateJwks();
    expect(kids(keys)).toEqual([await calculateJwkThumbprint({ kty, crv, x })]);
    expect(decodeProtectedHeader(await tokens.sign(CLAIMS)).kid).toBe(kids(keys)[0]);
  });

  it('sign with the newest key after a rotation, and older keys still verify', async () => {
    const { keys, tokens } = await given();
    const before = await tokens.sign(CLAIMS);
    const { key, replayed } = await keys.rotate('a');
    const after = await tokens.sign(CLAIMS);
    expect([kids(keys)[0], replayed]).toEqual([key.kid, false]);
    expect(decodeProtectedHeader(after).kid).toBe(key.kid);
    expect(await tokens.verify(before)).toEqual(VERIFIED);
    expect(await tokens.verify(after)).toEqual(VERIFIED);
  });

  it('verify a token that has no kid with the first key, even after rotations', async () => {
    const { keys, tokens } = await given();
    const old = await signWithoutKid(keys);
    await keys.rotate('a');
    await keys.rotate('b');
    expect(await tokens.verify(old)).toEqual(VERIFIED);
  });

  it('are rotated once for repeated and for concurrent requests with one id', async () => {
    const { keys } = await given();
    const [one, other] = await Promise.all([keys.rotate('a'), keys.rotate('a')]);
    expect(one.key).toEqual(other.key);
    expect(await keys.rotate('a')).toEqual({ key: one.key, replayed: true });
    expect(keys.list()).toHaveLength(2);
  });

  it('are newest first even when the clock was set back', async () => {
    const { keys, clock } = await given();
    const { key: former } = await keys.rotate('a');
    clock.set('2020-01-01T00:00:00Z');
    const { key } = await keys.rotate('b');
    expect(kids(keys).slice(0, 2)).toEqual([key.kid, former.kid]);
  });

  it('are listed newest first as private JWKs, each with its kid', async () => {
    const { keys } = await given();
    await keys.rotate('a');
    expect(keys.privateJwks().map(({ kid }) => kid)).toEqual(kids(keys));
    expect(keys.privateJwks()[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
  });

  it('can be removed unless they sign, even if another process made the signing key', async () => {
    const one = await given();
    const other = await given(one.vault, one.clock);
    const first = kids(one.keys)[0] ?? '';
    expect([await one.keys.remove(first), await one.keys.remove('A'.repeat(43))]).toEqual(['current', 'unknown']);
    const { key } = await other.keys.rotate('a');
    expect([await one.keys.remove(first), await one.keys.remove(key.kid)]).toEqual(['removed', 'current']);
    expect(kids(one.keys)).toEqual([key.kid]);
  });

  it('reject the tokens of a removed key, also tokens without kid', async () => {
    const { keys, tokens, clock } = await given();
    const [token, old, first] = [await tokens.sign(CLAIMS), await signWithoutKid(keys), kids(keys)[0] ?? ''];
    await keys.rotate('a');
    expect([await tokens.verify(token), await tokens.verify(old)]).toEqual([VERIFIED, VERIFIED]);
    await keys.remove(first);
    clock.advance(SECOND);
    expect([await tokens.verify(token), await tokens.verify(old)]).toEqual([null, null]);
  });

  it('call a function after each change until the function is removed', async () => {
    const { keys } = await given();
    const seen: string[] = [];
    const remove = keys.onChange(() => seen.push(kids(keys)[0] ?? ''));
    const { key } = await keys.rotate('a');
    remove();
    await keys.rotate('b');
    expect(seen).toEqual([key.kid]);
  });
});

/** Proves contract 31.2: a rotation reaches every process, without a read for each request. */
describe('signing keys that another process has rotated', () => {
  it('are read at the first token with an unknown kid', async () => {
    const one = await given();
    const other = await given(one.vault, one.clock);
    await other.keys.rotate('a');
    one.clock.advance(SECOND);
    expect(await one.tokens.verify(await other.tokens.sign(CLAIMS))).toEqual(VERIFIED);
    expect(kids(one.keys)).toEqual(kids(other.keys));
  });

  it('are read at most once per second, and tokens with an unknown kid wait for the next read', async () => {
    const one = await given();
    const other = await given(one.vault, one.clock);
    await other.keys.rotate('a');
    const tokens = await Promise.all(Array.from({ length: 50 }, (_, index) => other.tokens.sign({ ...CLAIMS, subject: `ann ${index}` })));
    const before = one.vault.reads();
    const verified = Promise.all(tokens.map(async (token) => one.tokens.verify(token)));
    while (one.clock.waiting() === 0) await new Promise((resolve) => setImmediate(resolve));
    one.clock.advance(SECOND - 1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(one.vault.reads()).toBe(before);
    one.clock.advance(1);
    expect((await verified).filter(Boolean)).toHaveLength(50);
    expect(one.vault.reads()).toBe(before + 1);
  });

  it('are not read for a token whose kid is no thumbprint, and the token is rejected', async () => {
    const { vault, clock, tokens } = await given();
    const stranger = await given(memoryVault(new Uint8Array(32).fill(9)), clock);
    const [jwk] = stranger.keys.privateJwks();
    const before = vault.reads();
    for (const kid of ['token-signing', '../../dev/null', '', 'x'.repeat(44)]) {
      const token = await new SignJWT({})
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid })
        .sign(await importJWK(jwk ?? {}, 'EdDSA'));
      expect(await tokens.verify(token)).toBeNull();
    }
    expect(vault.reads()).toBe(before);
  });

  it('reject a token when no key has its kid, and when the keys cannot be read', async () => {
    const { vault, clock, tokens } = await given();
    const stranger = await given(memoryVault(new Uint8Array(32).fill(9)), clock);
    clock.advance(SECOND);
    expect(await tokens.verify(await stranger.tokens.sign(CLAIMS))).toBeNull();
    vault.serviceKeys = () => Promise.reject(new Error('the store is down'));
    clock.advance(SECOND);
    expect(await tokens.verify(await stranger.tokens.sign(CLAIMS))).toBeNull();
  });

  it('are not replaced by an older read that ends later', async () => {
    const one = await given();
    const other = await given(one.vault, one.clock);
    one.clock.advance(SECOND);
    const end = one.vault.delayNextRead();
    const slow = one.keys.reload();
    await new Promise((resolve) => setImmediate(resolve));
    const { key } = await other.keys.rotate('a');
    one.clock.advance(SECOND);
    await one.keys.reload();
    end();
    await slow;
    expect(kids(one.keys)[0]).toBe(key.kid);
  });

  it('reject a token of a removed key, even if the token is cached', async () => {
    const { keys, vault, clock, tokens } = await given();
    const token = await tokens.sign(CLAIMS);
    await keys.rotate('a');
    expect(await tokens.verify(token)).toEqual(VERIFIED);
    await vault.removeServiceKey('token-signing');
    clock.advance(SECOND);
    await keys.reload();
    clock.advance(SECOND);
    expect(await tokens.verify(token)).toBeNull();
  });
});
