import { describe, expect, it } from '@jest/globals';
import { calculateJwkThumbprint, decodeProtectedHeader, importJWK, SignJWT } from 'jose';
import { TOKEN_KEY_KINDS } from '../../ports/signing-keys.port.js';
import { CLAIMS, given, kids, memoryVault, MINUTE, open, published, rotate, SECOND, statuses, VERIFIED } from './signing-keys.fixtures.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';

/** Proves contract 31.1, contract 31.2 and contract 31.5. */
describe('signing keys', () => {
  it('are created at the first start, and are the same at the second start', async () => {
    const { keys, vault, clock } = await given();
    expect(statuses(keys)).toEqual(['current']);
    expect(keys.published()[0]).toMatchObject({ kty: 'RSA', alg: 'RS256', use: 'sig' });
    expect(Buffer.from(keys.published()[0]['n'] ?? '', 'base64url')).toHaveLength(256);
    expect((await open({ vault, clock })).keys.list()).toEqual(keys.list());
  });

  it('are one key if several processes start at the same time', async () => {
    const clock = manualClock();
    const vault = memoryVault(clock);
    const started = await Promise.all(Array.from({ length: 3 }, () => open({ vault, clock })));
    expect(new Set(started.map(({ keys }) => kids(keys).join())).size).toBe(1);
    expect(started[0]?.keys.list()).toHaveLength(1);
  });

  it('are named by the thumbprint of the public key, which every token carries', async () => {
    const { keys, tokens } = await given();
    const { kty, n = '', e = '' } = keys.published()[0];
    expect(kids(keys)).toEqual([await calculateJwkThumbprint({ kty, n, e })]);
    expect(decodeProtectedHeader(await tokens.sign(CLAIMS))).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: kids(keys)[0] });
  });

  it('are announced for 10 minutes by a rotation, and sign after that; older keys still verify', async () => {
    const { keys, tokens, clock } = await given();
    const [first] = kids(keys);
    const before = await tokens.sign(CLAIMS);
    const { key, replayed } = await rotate(keys, 'a', false);
    const activatesAt = new Date(clock.now().getTime() + 10 * MINUTE);
    expect([key.status, key.activatesAt, replayed]).toEqual(['announced', activatesAt, false]);
    expect(keys.list().map(({ kid, status }) => [kid, status])).toEqual([
      [key.kid, 'announced'],
      [first, 'current'],
    ]);
    expect(published(keys)).toEqual([first, key.kid]);
    clock.advance(10 * MINUTE - 1);
    expect(decodeProtectedHeader(await tokens.sign(CLAIMS)).kid).toBe(first);
    clock.advance(1);
    const after = await tokens.sign(CLAIMS);
    expect([decodeProtectedHeader(after).kid, statuses(keys), published(keys)]).toEqual([key.kid, ['current', 'former'], [key.kid, first]]);
    expect([await tokens.verify(before), await tokens.verify(after)]).toEqual([VERIFIED, VERIFIED]);
  });

  it('are not rotated again while a key is announced, unless it shall sign at once', async () => {
    const { keys } = await given();
    const { key } = await rotate(keys, 'a', false);
    expect(await keys.rotate('b')).toBe('announced');
    expect(await rotate(keys, 'a', false)).toEqual({ key, replayed: true });
    const now = await rotate(keys, 'c');
    expect([now.key.kid, now.key.status, now.replayed]).toEqual([key.kid, 'current', false]);
    expect(statuses(keys)).toEqual(['current', 'former']);
    // The answer was lost, and the request is repeated.
    expect(await rotate(keys, 'c')).toEqual({ ...now, replayed: true });
    // A replayed rotation ends no later announcement.
    await rotate(keys, 'd', false);
    expect((await rotate(keys, 'a')).replayed).toBe(true);
    expect(statuses(keys)).toEqual(['announced', 'current', 'former']);
  });

  it('are announced by one of several processes that rotate at the same time', async () => {
    const { vault, clock } = await given();
    const processes = await Promise.all(Array.from({ length: 3 }, () => open({ vault, clock })));
    const stored = async () => statuses((await open({ vault, clock })).keys);
    const announced = await Promise.all(processes.map(({ keys }, index) => keys.rotate(`process ${index}`)));
    expect(announced.filter((outcome) => outcome === 'announced')).toHaveLength(2);
    expect(await stored()).toEqual(['announced', 'current']);
    await Promise.all(processes.map(({ keys }, index) => rotate(keys, `process ${index} now`)));
    // One of them let the announced key sign, and each of the others created a key.
    expect(await stored()).toEqual(['current', 'former', 'former', 'former']);
  });

  it('can be removed while they are announced, and then rotated again', async () => {
    const { keys } = await given();
    const { key } = await rotate(keys, 'a', false);
    expect(await keys.remove(key.kid)).toBe('removed');
    expect((await rotate(keys, 'b', false)).key.status).toBe('announced');
  });

  it('sign at once after a rotation that says so', async () => {
    const { keys, tokens } = await given();
    const before = await tokens.sign(CLAIMS);
    const { key, replayed } = await rotate(keys, 'a');
    const after = await tokens.sign(CLAIMS);
    expect([kids(keys)[0], replayed, key.activatesAt]).toEqual([key.kid, false, undefined]);
    expect(decodeProtectedHeader(after).kid).toBe(key.kid);
    expect(await tokens.verify(before)).toEqual(VERIFIED);
    expect(await tokens.verify(after)).toEqual(VERIFIED);
  });

  it('are rotated once for repeated and for concurrent requests with one id', async () => {
    const { keys } = await given();
    const [one, other] = await Promise.all([rotate(keys, 'a'), rotate(keys, 'a')]);
    expect(one.key).toEqual(other.key);
    expect(await rotate(keys, 'a')).toEqual({ key: one.key, replayed: true });
    expect(keys.list()).toHaveLength(2);
  });

  it('are newest first even when the clock was set back', async () => {
    const { keys, clock } = await given();
    const { key: former } = await rotate(keys, 'a');
    clock.set('2020-01-01T00:00:00Z');
    const { key } = await rotate(keys, 'b');
    expect(kids(keys).slice(0, 2)).toEqual([key.kid, former.kid]);
    expect(keys.current().kid).toBe(key.kid);
  });

  it('can be removed unless they sign, even if another process made the signing key', async () => {
    const one = await given();
    const other = await open(one);
    const first = kids(one.keys)[0] ?? '';
    expect([await one.keys.remove(first), await one.keys.remove('A'.repeat(43))]).toEqual(['current', 'unknown']);
    const { key } = await rotate(other.keys, 'a');
    expect([await one.keys.remove(first), await one.keys.remove(key.kid)]).toEqual(['removed', 'current']);
    expect(kids(one.keys)).toEqual([key.kid]);
  });

  it('reject the tokens of a removed key', async () => {
    const { keys, tokens, clock } = await given();
    const [token, first] = [await tokens.sign(CLAIMS), kids(keys)[0] ?? ''];
    await rotate(keys, 'a');
    expect(await tokens.verify(token)).toEqual(VERIFIED);
    await keys.remove(first);
    clock.advance(SECOND);
    expect(await tokens.verify(token)).toBe('foreign key');
  });

  it('call a function after each change until the function is removed', async () => {
    const { keys } = await given();
    const seen: string[] = [];
    const remove = keys.onChange(() => seen.push(kids(keys)[0] ?? ''));
    const { key } = await rotate(keys, 'a');
    remove();
    await rotate(keys, 'b');
    expect(seen).toEqual([key.kid]);
  });
});

/** Proves contract 31.2: a rotation reaches every process, without a read for each request. */
describe('signing keys that another process has rotated', () => {
  it('are read at the first token with an unknown kid', async () => {
    const one = await given();
    const other = await open(one);
    await rotate(other.keys, 'a');
    one.clock.advance(SECOND);
    expect(await one.tokens.verify(await other.tokens.sign(CLAIMS))).toEqual(VERIFIED);
    expect(kids(one.keys)).toEqual(kids(other.keys));
  });

  it('are read at most once per second, and tokens with an unknown kid wait for the next read', async () => {
    const one = await given();
    const other = await open(one);
    await rotate(other.keys, 'a');
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
    const stranger = await open({ vault: memoryVault(clock), clock });
    const [jwk] = stranger.keys.published();
    const before = vault.reads();
    for (const kid of ['token-signing', '../../dev/null', '', 'x'.repeat(44)]) {
      const token = await new SignJWT({}).setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid }).sign(await importJWK(jwk, 'RS256'));
      expect(await tokens.verify(token)).toBeNull();
    }
    expect(vault.reads()).toBe(before);
  });

  it('reject a token when no key has its kid, and when the keys cannot be read', async () => {
    const { vault, clock, tokens } = await given();
    const stranger = await open({ vault: memoryVault(clock), clock });
    clock.advance(SECOND);
    expect(await tokens.verify(await stranger.tokens.sign(CLAIMS))).toBe('foreign key');
    vault.serviceKeys = () => Promise.reject(new Error('the store is down'));
    clock.advance(SECOND);
    expect(await tokens.verify(await stranger.tokens.sign(CLAIMS))).toBeNull();
  });

  it('are not replaced by an older read that ends later', async () => {
    const one = await given();
    const other = await open(one);
    one.clock.advance(SECOND);
    const end = one.vault.delayNextRead();
    const slow = one.keys.reload();
    await new Promise((resolve) => setImmediate(resolve));
    const { key } = await rotate(other.keys, 'a');
    one.clock.advance(SECOND);
    await one.keys.reload();
    end();
    await slow;
    expect(kids(one.keys)[0]).toBe(key.kid);
  });

  it('reject a token of a removed key, even if the token is cached', async () => {
    const { keys, vault, clock, tokens } = await given();
    const token = await tokens.sign(CLAIMS);
    await rotate(keys, 'a');
    expect(await tokens.verify(token)).toEqual(VERIFIED);
    await vault.removeServiceKey(TOKEN_KEY_KINDS.rsa);
    clock.advance(SECOND);
    await keys.reload();
    clock.advance(SECOND);
    expect(await tokens.verify(token)).toBe('foreign key');
  });

  it('sign at once here, too, when another process ends the announcement', async () => {
    const one = await given();
    const other = await open(one);
    const { key } = await rotate(one.keys, 'a', false);
    await rotate(other.keys, 'b');
    one.clock.advance(SECOND);
    await one.keys.reload();
    expect([one.keys.current().kid, statuses(one.keys)]).toEqual([key.kid, ['current', 'former']]);
  });
});
