import { describe, expect, it } from '@jest/globals';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { keysOfKind } from '../../eventsourcing/ports/key-rotation.js';
import { manualClock } from '../../eventsourcing/testing/manual-clock.js';
import { TOKEN_KEY_KINDS } from '../../ports/signing-keys.port.js';
import type { TokenKeys } from './signing-keys.js';
import {
  CLAIMS,
  givenEd25519,
  HOUR,
  kids,
  MINUTE,
  published,
  rotate,
  rsaKey,
  SECOND,
  SEED,
  statuses,
  VERIFIED,
} from './signing-keys.fixtures.js';

/** Signs a token without the header `kid`, as an earlier version did. */
const signWithoutKid = async (keys: TokenKeys): Promise<string> => {
  const key = keys.find(undefined);
  if (!key) throw new Error('there is no key');
  return new SignJWT({ scope: 'ops' })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
    .setSubject('ann')
    .setIssuer('petstore')
    .setAudience('petstore')
    .setExpirationTime(manualClock().now().getTime() / 1000 + HOUR)
    .sign(key.privateKey);
};

/** Proves contract 31.1: Ed25519 keys of earlier versions. */
describe('the Ed25519 keys of an earlier version', () => {
  it('sign and are published until a rotation, and while the RSA key is announced', async () => {
    const { keys, tokens, clock } = await givenEd25519();
    const [first] = kids(keys);
    const before = await tokens.sign(CLAIMS);
    expect([decodeProtectedHeader(before).alg, published(keys)]).toEqual(['EdDSA', [first]]);
    expect(keys.published()[0]).toMatchObject({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
    const { key } = await rotate(keys, 'a', false);
    expect([decodeProtectedHeader(await tokens.sign(CLAIMS)).alg, published(keys)]).toEqual(['EdDSA', [first, key.kid]]);
    clock.advance(10 * MINUTE);
    expect([decodeProtectedHeader(await tokens.sign(CLAIMS)).alg, published(keys)]).toEqual(['RS256', [key.kid]]);
    expect([statuses(keys), await tokens.verify(before)]).toEqual([['current', 'former'], VERIFIED]);
  });

  it('only verify from the first start of this version on, where no earlier version can run beside it', async () => {
    const { keys, tokens } = await givenEd25519({ replacesEd25519: true });
    expect([statuses(keys), published(keys)]).toEqual([['current', 'former'], [kids(keys)[0]]]);
    expect(decodeProtectedHeader(await tokens.sign(CLAIMS)).alg).toBe('RS256');
    const again = await signWithoutKid(keys);
    expect(await tokens.verify(again)).toEqual(VERIFIED);
  });

  it('verify a token that has no kid with the first key, until that key is removed', async () => {
    const { keys, tokens, vault, clock } = await givenEd25519();
    const old = await signWithoutKid(keys);
    const first = kids(keys)[0] ?? '';
    vault.addEd25519Key('a', 8);
    await rotate(keys, 'b');
    expect(await tokens.verify(old)).toEqual(VERIFIED);
    await keys.remove(first);
    clock.advance(SECOND);
    expect(await tokens.verify(old)).toBeNull();
  });

  it('are verified by their own algorithm only', async () => {
    const { keys, tokens } = await givenEd25519({ replacesEd25519: true });
    const [rsa, ed25519] = kids(keys);
    const crossed = [
      { alg: 'EdDSA', kid: rsa, by: ed25519 },
      { alg: 'RS256', kid: ed25519, by: rsa },
    ];
    for (const { alg, kid = '', by } of crossed) {
      const key = keys.find(by)?.privateKey;
      if (!key) throw new Error('there is no key');
      const token = await new SignJWT({ scope: 'ops' })
        .setProtectedHeader({ alg, typ: 'at+jwt', kid })
        .setSubject('ann')
        .setIssuer('petstore')
        .setAudience('petstore')
        .setExpirationTime(manualClock().now().getTime() / 1000 + HOUR)
        .sign(key);
      expect(await tokens.verify(token)).toBeNull();
    }
  });

  it('are what an earlier version finds beside the RSA keys, also after it rotates', async () => {
    const { keys, vault, clock } = await givenEd25519({ replacesEd25519: true });
    await rotate(keys, 'a', false);
    vault.addEd25519Key('b', 9);
    // An earlier version reads each key of the kind `token-signing` as a seed of 32 bytes.
    const seeds = keysOfKind(await vault.serviceKeys(), 'token-signing').map(({ key }) => key);
    expect(seeds).toEqual([new Uint8Array(32).fill(9), SEED]);
    clock.advance(SECOND);
    await keys.reload();
    expect(statuses(keys)).toEqual(['announced', 'current', 'former', 'former']);
  });

  it('sign again after the RSA key was removed before it signed', async () => {
    const { keys, vault, clock } = await givenEd25519();
    await vault.addServiceKey(`${TOKEN_KEY_KINDS.rsa}/a`, rsaKey(), { wait: MINUTE });
    clock.advance(SECOND);
    await keys.reload();
    expect(statuses(keys)).toEqual(['announced', 'current']);
    expect(await keys.remove(kids(keys)[0] ?? '')).toBe('removed');
    expect([statuses(keys), published(keys)]).toEqual([['current'], kids(keys)]);
  });
});
