import { createServer } from 'node:https';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { RequestListener } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openOutsideIssuer, type OutsideIssuer } from '../../libs/adapters/tokens/outside-issuer/outside-issuer.js';
import { manualClock, type ManualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { IssuerUnavailable, type VerifiedClaims } from '../../libs/ports/access-token.port.js';
import { eventually } from '../eventually.js';
import { createIssuerKey, DISCOVERY, KEYS, startIssuer, type IssuerKey, type TestIssuer } from '../servers/issuer.js';
import { ROOT } from '../servers/program.js';

const ANN = { subject: 'ann', scopes: new Set(['read:pets']) };
const OWN = { subject: 'own', scopes: new Set<string>() };
const LIFETIME = 300_000;
const RETRY = 10_000;
const DAY = 86_400_000;

const keys: Record<'first' | 'second' | 'third', IssuerKey> = {} as never;
let issuer: TestIssuer;
let clock: ManualClock;
let faults: (string | null)[];
let reasons: string[];
let open: OutsideIssuer[];

beforeAll(async () => {
  for (const name of ['first', 'second', 'third'] as const) keys[name] = await createIssuerKey(name);
});
beforeEach(async () => {
  issuer = await startIssuer(keys.first);
  clock = manualClock(Date.now());
  faults = [];
  reasons = [];
  open = [];
});
afterEach(async () => {
  for (const verifier of open) verifier.close();
  await issuer.stop();
});

const openVerifier = (options: { readonly issuer?: string; readonly keysUrl?: string } = {}): OutsideIssuer => {
  const names = { audience: 'petstore', scopeClaim: 'scope', tenantClaim: 'tenant' };
  const verifier = openOutsideIssuer({
    ...names,
    issuer: issuer.url,
    clock,
    fallback: { verify: () => OWN },
    onFault: (fault) => void faults.push(fault),
    onRejected: (reason) => void reasons.push(reason),
    ...options,
  });
  open.push(verifier);
  return verifier;
};
const verify = async (verifier: OutsideIssuer, token: string): Promise<VerifiedClaims> => verifier.verify(token);
/** Signs a token that expires only after days. So in these tests it becomes invalid only if the issuer withdraws its key. */
const sign = (key = keys.first, changes: object = {}) =>
  issuer.sign({ exp: Math.floor(Date.now() / 1_000) + 1_000_000, ...changes }, { key });
const readsOfKeys = (): number => issuer.requests.filter((path) => path === KEYS).length;

/** Proves contract 33.3 and contract 33.4. */
describe('the keys of an outside issuer', () => {
  it('are read once for many tokens, and a verified token is accepted synchronously', async () => {
    const verifier = openVerifier();
    const token = await sign();
    const claims = await Promise.all([
      verify(verifier, token),
      verify(verifier, token),
      verify(verifier, await sign(keys.first, { sub: 'bob' })),
    ]);
    expect(claims).toEqual([ANN, ANN, { ...ANN, subject: 'bob' }]);
    expect(verifier.verify(token)).toEqual(ANN);
    expect([issuer.requests, verifier.keysState()]).toEqual([[DISCOVERY, KEYS], 'current']);
  });

  it('are read again when a token names an unknown key, at most once in ten seconds', async () => {
    const verifier = openVerifier();
    await verify(verifier, await sign());
    issuer.publish(keys.first, keys.second);
    expect(await verify(verifier, await sign(keys.second))).toBeNull();
    clock.advance(RETRY);
    expect(await verify(verifier, await sign(keys.second))).toEqual(ANN);
    expect(await verify(verifier, await sign())).toEqual(ANN);
    for (let n = 0; n < 20; n++) expect(await verify(verifier, await sign({ ...keys.third, kid: `guess-${n}` }))).toBeNull();
    expect(readsOfKeys()).toBe(2);
  });

  it('no longer include a withdrawn key after five minutes, not even for a cached token', async () => {
    const verifier = openVerifier();
    const token = await sign();
    await verify(verifier, token);
    issuer.publish(keys.second);
    expect(verifier.verify(token)).toEqual(ANN);
    clock.advance(LIFETIME);
    await eventually('the token to be rejected', async () => (await verify(verifier, token)) === null);
    expect(await verify(verifier, await sign(keys.second))).toEqual(ANN);
    expect(readsOfKeys()).toBe(2);
  });

  it('are kept for a day while the issuer is down, and are read again when it is back', async () => {
    const verifier = openVerifier();
    const token = await sign();
    await verify(verifier, token);
    await issuer.stop();
    clock.advance(LIFETIME);
    await eventually('the fault', () => verifier.keysState() === 'old');
    expect(faults).toEqual([expect.stringMatching(/openid-configuration: ECONNREFUSED$/)]);
    expect([await verify(verifier, token), await verify(verifier, await sign(keys.first, { sub: 'bob' }))]).not.toContain(null);
    expect(await verify(verifier, await sign(keys.second))).toBeNull();
    clock.skip(DAY - LIFETIME);
    await expect(verify(verifier, token)).rejects.toThrow(IssuerUnavailable);
    expect(verifier.keysState()).toBe('none');
    await issuer.start();
    // `clock.skip` has passed the time of the next attempt, but ran no timers. This call runs the attempt.
    clock.advance(0);
    await eventually('the keys', () => verifier.keysState() === 'current');
    expect(await verify(verifier, await sign())).toEqual(ANN);
    expect(faults.slice(1)).toEqual([null]);
  });

  it('are unknown while the issuer is down at the start: tokens are neither accepted nor rejected', async () => {
    await issuer.stop();
    const verifier = openVerifier();
    await expect(verify(verifier, await sign())).rejects.toThrow(IssuerUnavailable);
    expect([verifier.keysState(), verifier.verify('a.b.c')]).toEqual(['none', OWN]);
    await issuer.start();
    clock.advance(RETRY);
    await eventually('the keys', () => verifier.keysState() === 'current');
    expect(await verify(verifier, await sign())).toEqual(ANN);
  });

  it('delay the first tokens while the issuer is slow, by at most five seconds per document', async () => {
    const replies: (() => void)[] = [];
    issuer.answer(KEYS, (_, response) => {
      response.writeHead(200).write('{"keys":[');
      replies.push(() => void response.end(`${JSON.stringify(keys.first.jwk)}]}`));
    });
    const patient = openVerifier();
    const waiting = verify(patient, await sign());
    await eventually('the request', () => replies.length === 1);
    replies[0]?.();
    expect(await waiting).toEqual(ANN);
    const impatient = openVerifier();
    const refused = verify(impatient, await sign());
    await eventually('the second request', () => replies.length === 2);
    clock.advance(5_000);
    await expect(refused).rejects.toThrow(IssuerUnavailable);
    expect(faults).toEqual([expect.stringMatching(/\/keys: no complete response within 5 s$/)]);
  });
});

/** Proves contract 33.2 and contract 33.3. */
describe('the tokens of an outside issuer', () => {
  it('are verified with each key that has their kid', async () => {
    const [one, two] = [
      { ...keys.first, kid: 'same', jwk: { ...keys.first.jwk, kid: 'same' } },
      { ...keys.second, kid: 'same', jwk: { ...keys.second.jwk, kid: 'same' } },
    ];
    issuer.publish(one, two);
    const verifier = openVerifier();
    for (const key of [one, two]) expect(await verify(verifier, await sign(key))).toEqual(ANN);
    expect(await verify(verifier, await sign({ ...keys.third, kid: 'same' }))).toBeNull();
    expect(reasons).toEqual(['its signature is wrong']);
  });

  it('are verified although another key of the issuer cannot be read', async () => {
    const broken = { kty: 'EC', crv: 'P-256', x: '!', y: '!', alg: 'ES256' };
    const readable = { ...keys.first.jwk, kid: 'twice' };
    issuer.answer(
      KEYS,
      json({ keys: [null, 7, 'x', [], {}, { ...broken, kid: 'broken' }, { ...broken, kid: 'twice' }, readable, keys.second.jwk] }),
    );
    const verifier = openVerifier();
    expect(await verify(verifier, await sign(keys.second))).toEqual(ANN);
    expect(await verify(verifier, await sign({ ...keys.first, kid: 'twice' }))).toEqual(ANN);
    expect(await verify(verifier, await sign({ ...keys.first, kid: 'broken' }))).toBeNull();
    expect(faults).toEqual([]);
  });

  it.each(['EdDSA', 'Ed25519'])('may name %s in their header and in their key: both are one algorithm', async (alg) => {
    const key = await createIssuerKey('ed', 'EdDSA');
    issuer.publish({ ...key, jwk: { ...key.jwk, alg } });
    const verifier = openVerifier();
    for (const named of ['EdDSA', 'Ed25519']) expect(await verify(verifier, await sign({ ...key, alg: named }))).toEqual(ANN);
  });

  it('may have keys on another host, which the setting names', async () => {
    const other = await startIssuer(keys.second);
    try {
      const verifier = openVerifier({ keysUrl: `${other.url}${KEYS}` });
      expect(await verify(verifier, await sign(keys.second))).toEqual(ANN);
      expect([issuer.requests, other.requests]).toEqual([[], [KEYS]]);
    } finally {
      await other.stop();
    }
  });

  it('may have 12 KB', async () => {
    const verifier = openVerifier();
    const tokenOf = (groups: number) => sign(keys.first, { groups: 'g'.repeat(groups) });
    const [short, long] = [await tokenOf(8_700), await tokenOf(9_300)];
    expect([short.length > 11_900 && short.length <= 12_288, long.length > 12_288]).toEqual([true, true]);
    expect([await verify(verifier, short), await verify(verifier, long), reasons]).toEqual([
      ANN,
      null,
      ['it is longer than 12288 characters'],
    ]);
  });

  it.each<[object, string]>([
    [{ exp: 1 }, 'it has expired'],
    [{ aud: 'other' }, 'its claim aud is missing or does not fit'],
    [{ iat: 4_000_000_000 }, 'it was issued in the future'],
    [{ scope: 7 }, 'the subject, the scopes or the tenant has a wrong form, or it is no access token'],
  ])('are rejected with %j, and the reason is reported', async (claims, reason) => {
    const verifier = openVerifier();
    expect([await verify(verifier, await sign(keys.first, claims)), reasons]).toEqual([null, [reason]]);
  });
});

const json = (value: unknown, status = 200, headers: Record<string, string> = {}): RequestListener => {
  return (_, response) => void response.writeHead(status, headers).end(typeof value === 'string' ? value : JSON.stringify(value));
};

/** Proves contract 33.3. */
describe('an issuer', () => {
  const faultOf = async (path: string, listener: RequestListener): Promise<string> => {
    issuer.answer(path, listener);
    const verifier = openVerifier();
    await expect(verify(verifier, await sign())).rejects.toThrow(IssuerUnavailable);
    return String(faults[0]);
  };

  it.each(['http://localhost:1', 'https://127.0.0.1', 'http://keys.example.com', 'file:///etc'])(
    'may not have its keys on another origin, such as %s',
    async (origin) => {
      const fault = await faultOf(DISCOVERY, json({ issuer: issuer.url, jwks_uri: `${origin}/keys` }));
      expect(fault).toMatch(/is not on the issuer's origin http:\/\/127\.0\.0\.1:\d+$/);
    },
  );

  it('may not have its keys on another port of its host, nor at an address with credentials', async () => {
    const other = await startIssuer(keys.first);
    try {
      await faultOf(DISCOVERY, json({ issuer: issuer.url, jwks_uri: `${other.url}${KEYS}` }));
      await faultOf(DISCOVERY, json({ issuer: issuer.url, jwks_uri: issuer.url.replace('//', '//me:secret@') + KEYS }));
      expect([other.requests, readsOfKeys(), faults.join().includes('secret')]).toEqual([[], 0, false]);
    } finally {
      await other.stop();
    }
  });

  it.each([DISCOVERY, KEYS])('may not redirect %s, not even on its own origin', async (path) => {
    const other = await startIssuer(keys.first);
    try {
      for (const status of [301, 302, 303, 307, 308])
        for (const location of [`${other.url}${path}`, `${path}?again`]) {
          faults = [];
          expect(await faultOf(path, json('', status, { location }))).toMatch(
            new RegExp(`status ${status}, a redirect, which is not followed$`),
          );
        }
      expect([other.requests, issuer.requests.filter((sent) => sent.endsWith('?again'))]).toEqual([[], []]);
    } finally {
      await other.stop();
    }
  });

  it.each([DISCOVERY, KEYS])('may not send 10 MB at %s', async (path) => {
    let sent = 0;
    const fault = await faultOf(path, (_, response) => {
      const more = (): void => {
        while (sent < 10_000_000 && !response.destroyed && response.write(' '.repeat(10_000))) sent += 10_000;
        if (sent >= 10_000_000) response.end('{}');
      };
      response.on('drain', more);
      more();
    });
    expect(fault).toMatch(/longer than 262144 bytes$/);
    expect(sent).toBeLessThan(10_000_000);
  });

  it.each<[string, string, RequestListener, RegExp]>([
    ['no JSON', DISCOVERY, json('<html>'), /no JSON object$/],
    ['a list', DISCOVERY, json([]), /no JSON object$/],
    ['another status', DISCOVERY, json({}, 404), /status 404$/],
    ['the name of another issuer', DISCOVERY, json({ issuer: 'https://login.example.com', jwks_uri: 'x' }), /issuer is not http/],
    [
      'no address of keys',
      DISCOVERY,
      (request, response) => json({ issuer: `http://${request.headers.host}` })(request, response),
      /jwks_uri is not a URL$/,
    ],
    ['no keys', KEYS, json({}), /not a set of JSON web keys$/],
    ['a list of texts as keys', KEYS, json({ keys: ['x'] }), /not a set of JSON web keys$/],
    ['a text that is not UTF-8', KEYS, (_, response) => void response.end(Buffer.from([0x7b, 0xff, 0x7d])), /no JSON object$/],
    [
      'half a document',
      KEYS,
      (_, response) => void response.writeHead(200, { 'content-length': 100 }).write('{', () => response.destroy()),
      /ECONNRESET$/,
    ],
    ['no response', KEYS, (request) => void request.socket.destroy(), /ECONNRESET$/],
  ])('may not send %s', async (_, path, listener, message) => expect(await faultOf(path, listener)).toMatch(message));

  it('needs a certificate that a known authority signed', async () => {
    const [key, cert] = ['self-signed.key.pem', 'self-signed.pem'].map((file) =>
      readFileSync(join(ROOT, 'test/contract/certificates', file)),
    );
    let requests = 0;
    const server = createServer({ key, cert }, (_, response) => {
      requests++;
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const verifier = openVerifier({ issuer: url });
      await expect(verify(verifier, await sign(keys.first, { iss: url }))).rejects.toThrow(IssuerUnavailable);
      expect([requests, faults]).toEqual([0, [expect.stringMatching(/SELF_SIGNED|UNABLE_TO_VERIFY|CERT/)]]);
    } finally {
      server.close();
    }
  });
});
