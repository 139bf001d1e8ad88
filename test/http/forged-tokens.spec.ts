import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { itOnOwnStore as it, startOwnStore, type OwnStore } from '../servers/store.js';
import { expectProblem } from './problems.js';
import { openShop, PLAIN_PET, type Shop } from './shop.js';

const HEADER = { alg: 'EdDSA', typ: 'at+jwt' };
const HOUR = 3600;
/** RFC 8410: the DER bytes before the seed of an Ed25519 private key. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

let store: OwnStore | undefined;
let shop: Shop;
let key: KeyObject;
let genuine: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  store = await startOwnStore();
  shop = await openShop(store);
  key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, await store.tokenSeed()]), format: 'der', type: 'pkcs8' });
  genuine = JSON.parse(Buffer.from(shop.staff.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
});
afterAll(() => store?.stop());

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const signedBy = (signer: KeyObject, header: object, claims: object) => {
  const content = `${part(header)}.${part(claims)}`;
  return `${content}.${sign(null, Buffer.from(content), signer).toString('base64url')}`;
};
const write = (token: string) => shop.ask('POST', '/v1/pets', { token, body: PLAIN_PET });
const now = () => Math.floor(Date.now() / 1000);

describe('a token made with the store’s own key', () => {
  it('is good when it is as the store makes them', async () => {
    expect((await write(signedBy(key, HEADER, genuine))).status).toBe(201);
  });

  it.each([
    ['is meant for another service', () => signedBy(key, HEADER, { ...genuine, aud: 'elsewhere' })],
    ['is meant for nobody', () => signedBy(key, HEADER, { ...genuine, aud: undefined })],
    ['was issued by another', () => signedBy(key, HEADER, { ...genuine, iss: 'https://issuer.example.com' })],
    ['was issued by nobody', () => signedBy(key, HEADER, { ...genuine, iss: undefined })],
    ['is of another type', () => signedBy(key, { ...HEADER, typ: 'JWT' }, genuine)],
    ['is of no type', () => signedBy(key, { alg: 'EdDSA' }, genuine)],
    ['has expired', () => signedBy(key, HEADER, { ...genuine, exp: now() - HOUR })],
    ['never expires', () => signedBy(key, HEADER, { ...genuine, exp: undefined })],
    ['expires at a time that is none', () => signedBy(key, HEADER, { ...genuine, exp: 'later' })],
    ['is not good yet', () => signedBy(key, HEADER, { ...genuine, nbf: now() + HOUR })],
    ['names nobody', () => signedBy(key, HEADER, { ...genuine, sub: undefined })],
    ['demands what nobody understands', () => signedBy(key, { ...HEADER, crit: ['x'], x: 1 }, genuine)],
  ] as const)('is refused when it %s', async (_, forge) => {
    expectProblem(await write(forge()), 401, 'unauthorized');
  });
});

describe('a token made with another key', () => {
  const hmac = (secret: string | Buffer, header: object) => {
    const content = `${part(header)}.${part(genuine)}`;
    return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
  };

  it('is refused when it is signed by nobody', async () => {
    for (const alg of ['none', 'None', 'NONE', ''])
      expectProblem(await write(`${part({ ...HEADER, alg })}.${part(genuine)}.`), 401, 'unauthorized');
  });

  it('is refused when the public key served as a password (HS256)', async () => {
    const publicKey = createPublicKey(key);
    const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
    for (const secret of [raw, publicKey.export({ format: 'pem', type: 'spki' }), publicKey.export({ format: 'der', type: 'spki' })])
      for (const alg of ['HS256', 'EdDSA']) expectProblem(await write(hmac(secret, { ...HEADER, alg })), 401, 'unauthorized');
  });

  it('is refused when a stranger signed it, even if the token brings the stranger’s key', async () => {
    const stranger = generateKeyPairSync('ed25519');
    const jwk = stranger.publicKey.export({ format: 'jwk' });
    for (const more of [{}, { jwk }, { jku: 'http://127.0.0.1:9/keys' }, { kid: '../../dev/null' }])
      expectProblem(await write(signedBy(stranger.privateKey, { ...HEADER, ...more }, genuine)), 401, 'unauthorized');
  });
});

describe('a genuine token', () => {
  it('is refused once a single letter of it is changed', async () => {
    const [header = '', claims = '', signature = ''] = shop.staff.split('.');
    const more = part({ ...genuine, scope: 'write:pets ops' });
    const other = signature.startsWith('A') ? 'B' : 'A';
    for (const token of [
      `${header}.${more}.${signature}`,
      `${header}.${claims}.${other}${signature.slice(1)}`,
      `${header}.${claims}.`,
      `${header}.${claims}`,
    ])
      expectProblem(await write(token), 401, 'unauthorized');
    expect((await write(shop.staff)).status).toBe(201);
  });

  it('is refused when it is longer than any', async () => {
    expectProblem(await write(signedBy(key, HEADER, { ...genuine, padding: 'x'.repeat(9_000) })), 401, 'unauthorized');
  });
});
