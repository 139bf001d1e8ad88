import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { OPERATIONS } from '../../apps/api/operations.js';
import type { HttpResponse } from '../servers/client.js';
import { itOnOwnPetstore as it, startOwnPetstore, type OwnPetstore } from '../servers/test-petstore.js';
import { expectFailure, expectProblem } from './problems.js';
import { PLAIN_PET } from './shop.js';

/** `kid` is set when the service has started. */
const HEADER = { alg: 'RS256', typ: 'at+jwt', kid: '' };
const HOUR = 3600;
const SCOPES = ['read:pets', 'write:pets', 'write:orders', 'write:webhooks', 'audit:read', 'ops', 'chat:write'];
const UNKNOWN_ID = '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60';

const services: Partial<Record<'documented' | 'strict', OwnPetstore>> = {};
let key: KeyObject;
let publicKey: KeyObject;
let validToken: string;
let validClaims: Readonly<Record<string, unknown>>;

const serviceUnder = (policy: 'documented' | 'strict'): OwnPetstore => {
  const service = services[policy];
  if (!service) throw new Error('the service has not started');
  return service;
};

beforeAll(async () => {
  for (const policy of ['documented', 'strict'] as const) services[policy] = await startOwnPetstore({ ACCESS_POLICY: policy });
  const service = serviceUnder('documented');
  ({ privateKey: key, publicKey, kid: HEADER.kid } = service.tokenKey());
  validToken = await service.token('write:pets');
  validClaims = JSON.parse(Buffer.from(validToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
});
afterAll(() => Promise.all(Object.values(services).map((service) => service.stop())));

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedParts = (signer: KeyObject, header: string, claims: string) =>
  `${header}.${claims}.${sign('sha256', Buffer.from(`${header}.${claims}`), signer).toString('base64url')}`;
const signedBy = (signer: KeyObject, header: object, claims: object) => signedParts(signer, encoded(header), encoded(claims));
/** Signs a token with the service's own key. */
const signedWithClaims = (claims: object, header: object = {}) => signedBy(key, { ...HEADER, ...header }, { ...validClaims, ...claims });
const now = () => Math.floor(Date.now() / 1000);
const partsOf = (token: string) => token.split('.') as [string, string, string];

type Case = readonly [name: string, token: () => string];
const cases = (name: string, values: readonly unknown[], token: (value: never) => string): readonly Case[] =>
  values.map((value) => [`${name} ${(JSON.stringify(value) ?? 'undefined').slice(0, 60)}`, () => token(value as never)]);

const WRONG_TEXTS = [undefined, null, '', 7, true, [], {}, ['x'], { x: 1 }];
const WRONG_TIMES = [undefined, null, '', 'later', true, [], {}, '9999999999'];

const CLAIMS: readonly Case[] = [
  ...cases('audience', [...WRONG_TEXTS, 'elsewhere', 'petstore ', 'PETSTORE', ['elsewhere']], (aud: unknown) => signedWithClaims({ aud })),
  ...cases('issuer', [...WRONG_TEXTS, 'https://issuer.example.com', 'petstore '], (iss: unknown) => signedWithClaims({ iss })),
  ...cases('subject', [...WRONG_TEXTS, 'anonymous', '\u0000', 'a\nb', 'a\u007fb', '\ud800', 'x'.repeat(300)], (sub: unknown) =>
    signedWithClaims({ sub }),
  ),
  ...cases('expiry', [...WRONG_TIMES, 0, -1], (exp: unknown) => signedWithClaims({ exp })),
  ...cases('not before', [null, '', 'later', true, [], {}], (nbf: unknown) => signedWithClaims({ nbf })),
  ...cases('issued at', [null, '', 'later', true, [], {}], (iat: unknown) => signedWithClaims({ iat })),
  ...cases('scope', [7, null, true, ['write:pets'], { 'write:pets': true }], (scope: unknown) => signedWithClaims({ scope })),
  ...cases('tenant', [7, null, true, '', [], {}, 'acme', 'shared', `${UNKNOWN_ID} `, [UNKNOWN_ID], `${UNKNOWN_ID}\n`], (tenant: unknown) =>
    signedWithClaims({ tenant }),
  ),
  ['that has expired', () => signedWithClaims({ exp: now() - HOUR })],
  ['that expired a second ago', () => signedWithClaims({ exp: now() - 1 })],
  ['that is not valid yet', () => signedWithClaims({ nbf: now() + HOUR })],
  ['that is issued in an hour', () => signedWithClaims({ iat: now() + HOUR })],
];

const HEADERS: readonly Case[] = [
  ...cases('type', [undefined, null, '', 7, 'JWT', 'id+jwt', 'at', ['at+jwt']], (typ: unknown) => signedWithClaims({}, { typ })),
  ...cases(
    'algorithm',
    [undefined, null, '', 7, 'none', 'None', 'NONE', 'HS256', 'EdDSA', 'RS512', 'PS256', 'ES256', 'rs256', ['RS256']],
    (alg: unknown) => signedWithClaims({}, { alg }),
  ),
  ...cases('critical', [['x'], ['exp'], ['b64'], [], 'x', null, 7, [7]], (crit: unknown) =>
    signedWithClaims({}, { crit, x: 1, b64: false }),
  ),
];

const unsigned = (alg: unknown, signature = ''): string => `${encoded({ ...HEADER, alg })}.${encoded(validClaims)}.${signature}`;
const hmac = (alg: string, secret: string | Buffer): string => {
  const content = `${encoded({ ...HEADER, alg })}.${encoded(validClaims)}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
};
const SECRETS: readonly (readonly [string, () => string | Buffer])[] = [
  ['the raw public key', () => Buffer.from(publicKey.export({ format: 'jwk' }).n ?? '', 'base64url')],
  ['the public key in PEM', () => publicKey.export({ format: 'pem', type: 'spki' })],
  ['the public key in DER', () => publicKey.export({ format: 'der', type: 'spki' })],
  ['nothing', () => ''],
  ['a guess', () => 'secret'],
];
const otherKeys = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherJwk = otherKeys.publicKey.export({ format: 'jwk' });
const KEY_IDS = [
  '../../../../dev/null',
  '/dev/null',
  '/proc/sys/kernel/randomize_va_space',
  'C:\\windows\\win.ini',
  "' UNION SELECT 'AA'; --",
  '1; DROP TABLE keys',
  '{"$ne":null}',
  '$(id)',
  '| id',
  'http://127.0.0.1:9/key',
  '\u0000',
  'token-signing',
  'x'.repeat(5_000),
  '',
  null,
  7,
  {},
  [],
  { $ne: null },
];
const KEY_HEADERS: readonly object[] = [
  {},
  { jwk: otherJwk },
  { jku: 'http://127.0.0.1:9/keys' },
  { jku: 'file:///etc/passwd' },
  { x5u: 'http://127.0.0.1:9/chain' },
  { x5c: ['MIIB'] },
  { x5t: 'AAAA', 'x5t#S256': 'AAAA' },
  { jwk: otherJwk, kid: 'token-signing' },
  ...KEY_IDS.map((kid) => ({ kid })),
];

const KEYS: readonly Case[] = [
  ...cases('unsigned, algorithm', ['none', 'None', 'NONE', 'nOnE', '', null, undefined, 'RS256', 'EdDSA'], (alg: unknown) => unsigned(alg)),
  ...cases('with an invalid signature, algorithm', ['none', 'RS256', 'EdDSA', 'HS256'], (alg: unknown) => unsigned(alg, 'AAAA')),
  ...SECRETS.flatMap(([name, secret]) =>
    ['HS256', 'HS384', 'RS256', 'EdDSA'].map((alg): Case => [`signed with ${alg} and ${name} as the secret`, () => hmac(alg, secret())]),
  ),
  // A token that the service's own key signed is also rejected if its kid names no key (contract 31.1).
  ...cases('signed with the service’s key, with the kid', [...KEY_IDS, 'A'.repeat(42), 'A'.repeat(43)], (kid: unknown) =>
    signedWithClaims({}, { kid }),
  ),
  ...cases('signed with an unknown key, with the headers', KEY_HEADERS, (more: object) =>
    signedBy(otherKeys.privateKey, { ...HEADER, ...more }, validClaims),
  ),
];

const SHAPES: readonly Case[] = [
  ...['', '.', '..', '...', 'a', 'a.b', 'a.b.c', 'a.b.c.d', 'a.b.c.d.e', 'null', 'undefined', '{}', '~', '-', '====', 'AAAA.AAAA.AAAA'].map(
    (text): Case => [`that is the text ${JSON.stringify(text)}`, () => text],
  ),
  [
    'with another scope in its claims',
    () =>
      partsOf(validToken)
        .with(1, encoded({ ...validClaims, scope: 'write:pets ops' }))
        .join('.'),
  ],
  [
    'with a letter of its signature changed',
    () => validToken.slice(0, -6) + (validToken.at(-6) === 'A' ? 'B' : 'A') + validToken.slice(-5),
  ],
  ['without its signature', () => `${partsOf(validToken).slice(0, 2).join('.')}.`],
  ['of two parts', () => partsOf(validToken).slice(0, 2).join('.')],
  ['with a fourth part', () => `${validToken}.AAAA`],
  ['with its signature twice', () => `${validToken}.${partsOf(validToken)[2]}`],
  ['with a truncated signature', () => validToken.slice(0, -10)],
  ['with a longer signature', () => `${validToken}AAAA`],
  ['padded', () => `${validToken}==`],
  // The last character encodes four bits that are not part of the signature, so several characters encode the same signature.
  [
    'with another encoding of the same signature',
    () => validToken.slice(0, -1) + ({ A: 'B', Q: 'R', g: 'h', w: 'x' }[validToken.at(-1) ?? ''] ?? '?'),
  ],
  ['with parts in another order', () => partsOf(validToken).toReversed().join('.')],
  ['inside another', () => signedParts(key, encoded({ ...HEADER, cty: 'JWT' }), Buffer.from(validToken).toString('base64url'))],
  ['with a header that is not JSON', () => signedParts(key, Buffer.from('{').toString('base64url'), encoded(validClaims))],
  ['with a header that is a list', () => signedParts(key, encoded([HEADER]), encoded(validClaims))],
  ['with claims that are not JSON', () => signedParts(key, encoded(HEADER), Buffer.from('{').toString('base64url'))],
  ['with claims that are a list', () => signedParts(key, encoded(HEADER), encoded([validClaims]))],
  ['with claims that are a text', () => signedParts(key, encoded(HEADER), encoded('x'))],
  ['with claims that are null', () => signedParts(key, encoded(HEADER), encoded(null))],
  ['with claims that are no UTF-8', () => signedParts(key, encoded(HEADER), Buffer.from([0xff, 0xfe, 0x7b]).toString('base64url'))],
  ['of 9,000 characters', () => signedWithClaims({ padding: 'x'.repeat(6_500) })],
  ['with 2,000 parts', () => Array.from({ length: 2_000 }, () => 'aa').join('.')],
  ['with claims nested a thousand deep', () => signedWithClaims({ deep: JSON.parse('['.repeat(1_000) + ']'.repeat(1_000)) as unknown })],
].map(([name, token]): Case => [name as string, token as () => string]);

/** Whether a token of SHAPES is valid: it is deep but small, and signed with the service's own key. */
const isValid = ([name]: Case): boolean => name === 'with claims nested a thousand deep';

const GROUPS = { claims: CLAIMS, headers: HEADERS, keys: KEYS, shapes: SHAPES.filter((one) => !isValid(one)) };

const expectUnauthorized = (response: HttpResponse): void => {
  expectProblem(response, 401, 'unauthorized');
  expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="petstore"/);
};

const expectRejectedEverywhere = async (headers: Readonly<Record<string, string | readonly string[]>>): Promise<void> => {
  const service = serviceUnder('documented');
  // If a request has a token, the token must be valid, even if the operation needs no token.
  expectUnauthorized(await service.request('POST', '/v1/pets', { body: PLAIN_PET, headers }));
  expectUnauthorized(await service.request('GET', '/v1/pets', { headers }));
};

/** Proves contract 5.2 and contract 5.4. */
describe.each(Object.entries(GROUPS))('an invalid token, by its %s', (name, hostile) => {
  it(`gets 401 in ${hostile.length} cases of ${name}`, async () => {
    const accepted: string[] = [];
    for (const [caseName, token] of hostile) {
      try {
        await expectRejectedEverywhere({ authorization: `Bearer ${token()}` });
      } catch (error) {
        accepted.push(`${caseName}: ${error instanceof Error ? error.message.slice(0, 400) : String(error)}`);
      }
    }
    expect(accepted).toEqual([]);
  });
});

const AUTHORIZATIONS: readonly (readonly [string, () => string | readonly string[]])[] = [
  ['another scheme', () => `Basic ${Buffer.from('staff:password').toString('base64')}`],
  ['the scheme Token', () => `Token ${validToken}`],
  ['the scheme Bearer with letters after it', () => `Bearers ${validToken}`],
  ['no scheme', () => validToken],
  ['a scheme alone', () => 'Bearer'],
  ['an empty token', () => 'Bearer '],
  ['a comma instead of the space', () => `Bearer,${validToken}`],
  ['a colon', () => `Bearer: ${validToken}`],
  ['a tab', () => `Bearer\t${validToken}`],
  ['quotes', () => `Bearer "${validToken}"`],
  ['two tokens', () => `Bearer ${validToken} ${validToken}`],
  ['two tokens with a comma', () => `Bearer ${validToken},${validToken}`],
  ['two credentials', () => `Bearer ${validToken}, Bearer ${validToken}`],
  ['a token parameter', () => `Bearer token=${validToken}`],
  ['nothing', () => ''],
  ['the same token twice, in two headers', () => [`Bearer ${validToken}`, `Bearer ${validToken}`]],
  ['a valid and an invalid token, in two headers', () => [`Bearer ${validToken}`, 'Bearer a.b.c']],
  ['an invalid and a valid token, in two headers', () => ['Bearer a.b.c', `Bearer ${validToken}`]],
  ['a token and a password, in two headers', () => [`Bearer ${validToken}`, 'Basic c3RhZmY6cGFzc3dvcmQ=']],
];

/** Proves contract 5.1 and contract 5.4. */
describe('an Authorization header', () => {
  it.each(AUTHORIZATIONS)(`with %s gets 401 (${AUTHORIZATIONS.length} cases)`, async (_, authorization) => {
    await expectRejectedEverywhere({ authorization: authorization() });
  });

  it('may have its scheme in upper or lower case, followed by one or more spaces', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR', 'Bearer  '])
      expect(
        (
          await serviceUnder('documented').request('POST', '/v1/pets', {
            body: PLAIN_PET,
            headers: { authorization: `${scheme} ${validToken}` },
          })
        ).status,
      ).toBe(201);
  });

  it('is the only place of a token: addresses, cookies, bodies and other headers are ignored', async () => {
    const service = serviceUnder('documented');
    for (const name of ['access_token', 'token', 'authorization', 'bearer'])
      expectUnauthorized(await service.request('POST', `/v1/pets?${name}=${validToken}`, { body: PLAIN_PET }));
    for (const name of ['proxy-authorization', 'x-authorization', 'x-access-token', 'x-forwarded-authorization', 'x-api-key'])
      expectUnauthorized(await service.request('POST', '/v1/pets', { body: PLAIN_PET, headers: { [name]: `Bearer ${validToken}` } }));
    expectUnauthorized(await service.request('POST', '/v1/pets', { body: PLAIN_PET, headers: { cookie: `access_token=${validToken}` } }));
    expectUnauthorized(await service.request('POST', '/v1/pets', { body: { ...PLAIN_PET, access_token: validToken } }));
  });
});

/** Proves contract 5.2 and contract 5.5. */
describe('a token signed with the service’s own key', () => {
  it('is valid with the documented claims, and with additional claims and headers', async () => {
    const unusual = SHAPES.filter(isValid).map(([, token]) => token());
    const more = [
      signedWithClaims({}),
      signedWithClaims({ aud: ['petstore', 'elsewhere'] }),
      signedWithClaims({ sub: 'Zoë/../' }),
      signedWithClaims({ iat: undefined }),
    ];
    for (const token of [...more, signedWithClaims({}, { jku: 'http://127.0.0.1:9/keys' }), ...unusual])
      expect((await serviceUnder('documented').request('POST', '/v1/pets', { token, body: PLAIN_PET })).status).toBe(201);
  });

  it('has no scope if its claim scope is missing or names an unknown scope', async () => {
    for (const scope of [undefined, '', ' ', 'write', 'write:pet', 'WRITE:PETS', 'write:pets,ops', '*', 'write:*', 'write:pets\u0000'])
      expectProblem(
        await serviceUnder('documented').request('POST', '/v1/pets', { token: signedWithClaims({ scope }), body: PLAIN_PET }),
        403,
        'forbidden',
      );
  });

  it('is rejected by a service with another key', async () => {
    expectUnauthorized(await serviceUnder('strict').request('POST', '/v1/pets', { token: validToken, body: PLAIN_PET }));
  });
});

const addressOf = (id: string): string => OPERATIONS[id].path.replaceAll(/\{\w+\}/g, UNKNOWN_ID);
const ids = Object.keys(OPERATIONS);

/** Proves contract 5.4, contract 5.5, contract 5.6 and contract 5.7. */
describe.each(['documented', 'strict'] as const)('under the policy %s', (policy) => {
  const scoped = ids.flatMap((id) => {
    const requirement = OPERATIONS[id].access[policy];
    return typeof requirement === 'object' ? [[id, requirement] as const] : [];
  });
  const request = (id: string, token?: string) => serviceUnder(policy).request(OPERATIONS[id].method, addressOf(id), { token });

  it(`${scoped.length} operations reject ${SCOPES.length - 1} other scopes with 403: each, all together, and none`, async () => {
    const service = serviceUnder(policy);
    for (const [id, { scope, or }] of scoped) {
      const others = SCOPES.filter((other) => other !== scope && other !== or);
      for (const scopes of [...others, others.join(' '), '']) {
        const response = await request(id, await service.token(scopes));
        expectFailure(OPERATIONS[id].path, response, 403, 'forbidden');
        expect(response.headers['www-authenticate']).toContain(`error="insufficient_scope", scope="${scope}"`);
      }
    }
  });

  it(`all ${ids.length} operations reject a malformed token, an expired one and one of an unknown key with 401`, async () => {
    const expired = await serviceUnder(policy).token('ops', { expiresIn: -1 });
    // Its `kid` names a key of the service: an unknown `kid` waits for keys that another process has announced.
    const { kid } = serviceUnder(policy).tokenKey();
    const ofUnknownKey = signedBy(otherKeys.privateKey, { ...HEADER, kid }, { ...validClaims, scope: 'ops' });
    for (const id of ids)
      for (const token of ['a.b.c', expired, ofUnknownKey]) {
        const response = await request(id, token);
        expectFailure(OPERATIONS[id].path, response, 401, 'unauthorized');
        expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="petstore"/);
      }
  });
});
