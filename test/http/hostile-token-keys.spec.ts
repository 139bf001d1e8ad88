import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { pino } from 'pino';
import { start, type RunningPetstore } from '../../apps/petstore/start.js';
import { openTokens } from '../../apps/petstore/composition/tokens.js';
import { manualClock } from '../../libs/eventsourcing/testing/manual-clock.js';
import { parseSettings } from '../../libs/settings/settings.js';
import { createClient, type HttpResponse, type Client } from '../servers/client.js';
import { itOnOwnPetstore as it } from '../servers/test-petstore.js';
import { expectProblem } from './problems.js';

const INFO = 30;
const TENANTS = ['0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e60', '0190a6b2-7c1e-7a34-9b0f-3f1a5c2d4e61'] as const;

type Json = Readonly<Record<string, unknown>>;

// The clock does not advance, so a response that waited for a timer would never arrive.
const clock = manualClock('2026-01-02T03:04:05Z');
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
let log = '';
let running: RunningPetstore;
let client: Client;
let key: KeyObject;
let publicKey: KeyObject;
let valid: string;
let header: Json;
let claims: Json;
/** A server whose URL is in some tokens. The service must not connect to it; `connections` counts the connections. */
let trap: Server;
let connections = 0;

beforeAll(async () => {
  const settings = parseSettings({ PORT: '0', DATA_DIR: ':memory:', RATE_LIMIT: 'off', LOG_LEVEL: 'trace' });
  running = await start(settings, pino({ level: 'trace' }, { write: (line: string) => void (log += line) }), { clock });
  client = createClient(running.url);
  const { keys } = running.store;
  ({ privateKey: key, publicKey } = running.store.signingKeys.current());
  valid = await (await openTokens(keys, clock)).sign({ subject: 'ann', scopes: ['write:pets', 'ops'], expiresInSeconds: 3600 });
  [header, claims] = valid
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString('latin1')) as Json) as [Json, Json];
  trap = createServer().on('connection', (socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  client.close();
  await new Promise((resolve) => trap.close(resolve));
  await running.stop();
});

const encoded = (value: unknown): string => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const content = (head: unknown, body: unknown = claims): string => `${encoded(head)}.${encoded(body)}`;
const signed = (text: string, signer: KeyObject = key): string =>
  `${text}.${sign('sha256', Buffer.from(text), signer).toString('base64url')}`;
const mac = (text: string, hash: string, secret: string | Buffer): string =>
  `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`;
const trapUrl = (): string => `http://127.0.0.1:${(trap.address() as AddressInfo).port}/keys`;

const send = (token: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> =>
  client.send('GET', '/v1/inventories', { token, headers });

const expectInvalidToken = (token: string, response: HttpResponse): void => {
  expectProblem(response, 401, 'unauthorized');
  // The form of a challenge in RFC 6750, section 3.
  expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="petstore", error="invalid_token", error_description="[^"\\]+"$/);
  if (token.length > 20) expect(JSON.stringify([response.text, response.headers])).not.toContain(token);
};

/** Expects that every token gets 401. A failure lists the names of the accepted tokens. */
const expectAllRejected = async (tokens: Readonly<Record<string, string>>): Promise<void> => {
  const accepted: string[] = [];
  for (const [name, token] of Object.entries(tokens)) {
    const mark = log.length;
    const response = await send(token);
    try {
      expectInvalidToken(token, response);
      expectSilence(token, log.slice(mark));
    } catch (error) {
      accepted.push(`${name}: ${response.status} ${error instanceof Error ? error.message.slice(0, 300) : ''}`);
    }
  }
  expect(accepted).toEqual([]);
};

/** Expects that these log lines have a level below info, and that none contains a part of the token. */
const expectSilence = (token: string, lines: string): void => {
  const parts = token.split('.').filter((part) => part.length > 20);
  expect(parts.filter((part) => lines.includes(part))).toEqual([]);
  const loud = lines.split('\n').filter((line) => line !== '' && (JSON.parse(line) as { level: number }).level >= INFO);
  expect(loud).toEqual([]);
};

const byName = <T>(values: readonly T[], token: (value: T) => string): Readonly<Record<string, string>> =>
  Object.fromEntries(values.map((value, nth) => [`${nth} ${JSON.stringify(value)}`, token(value)]));

/** Every spelling of a word in upper and lower case. */
const spellings = (word: string): readonly string[] =>
  Array.from({ length: 2 ** word.length }, (_, bits) =>
    [...word].map((letter, at) => ((bits >> at) & 1 ? letter.toUpperCase() : letter)).join(''),
  );

/** Proves contract 5.2, contract 5.4 and contract 25.5. */
describe('a token that is not signed', () => {
  const names = [
    ...spellings('none'),
    ' none',
    'none ',
    'none\n',
    'none\u0000',
    'n\u043ene',
    'null',
    'false',
    '',
    null,
    false,
    0,
    [],
    ['none'],
  ];

  it(`is 401 with ${names.length} algorithms such as none, whether its signature is missing, stolen or invalid`, async () => {
    for (const signature of ['', valid.split('.')[2], 'AAAA'])
      await expectAllRejected(byName(names, (alg) => `${content({ ...header, alg })}.${signature}`));
  });

  it('is 401 with two algorithms in its header, in each order', () =>
    expectAllRejected(
      byName(['{"alg":"none","alg":"RS256","typ":"at+jwt"}', '{"alg":"RS256","alg":"none","typ":"at+jwt"}'], (head) => `${content(head)}.`),
    ));
});

/** Proves contract 5.2. */
describe('a token signed with a shared secret', () => {
  const secrets = (): readonly (string | Buffer)[] => {
    const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    const der = publicKey.export({ format: 'der', type: 'spki' });
    const pkcs1 = publicKey.export({ format: 'pem', type: 'pkcs1' }).toString();
    const { kty = '', n = '', e = '' } = publicKey.export({ format: 'jwk' });
    const raw = Buffer.from(n, 'base64url');
    const body = pem.split('\n').slice(1, -2).join('');
    return [
      ...[pem, pem.trim(), pem.replaceAll('\n', '\r\n'), pem.replaceAll('\n', '\\n'), body, `${body}\n`],
      ...[pkcs1, pkcs1.trim(), publicKey.export({ format: 'der', type: 'pkcs1' })],
      ...[der, der.toString('base64'), der.toString('base64url'), der.toString('hex')],
      ...[raw, raw.toString('base64'), n, raw.toString('hex'), raw.toString('hex').toUpperCase()],
      ...[{ kty, n, e }, { e, kty, n }, { n, e, kty }, { keys: [{ kty, n, e }] }].map((jwk) => JSON.stringify(jwk)),
      JSON.stringify({ kty, n, e }, null, 2),
      ...[String(header['kid']), '', '\u0000', 'petstore', 'secret', 'token-signing'],
    ];
  };

  it.each(['HS256', 'HS384', 'HS512'])(
    'that is an encoding of the public key is 401, with %s or another algorithm in its header',
    async (alg) => {
      for (const named of [alg, 'RS256', 'EdDSA', 'none'])
        await expectAllRejected(byName(secrets(), (secret) => mac(content({ ...header, alg: named }), `sha${alg.slice(2)}`, secret)));
    },
  );

  it('that is empty is 401, also if the kid names a device, a file or a query', () =>
    expectAllRejected(
      byName(['/dev/null', '../../../../../../dev/null', '..\\..\\nul', "x' UNION SELECT ''--", 'file:///dev/null', ''], (kid) =>
        mac(content({ ...header, alg: 'HS256', kid }), 'sha256', ''),
      ),
    ));

  it('is 401 if its header names another algorithm than that of its signature', () =>
    expectAllRejected(
      byName(['EdDSA', 'RS384', 'RS512', 'ES256', 'ES384', 'ES256K', 'PS256', 'Ed25519', 'Ed448', 'RS256 ', 'rs256', 'ML-DSA-44'], (alg) =>
        signed(content({ ...header, alg })),
      ),
    ));
});

/** Proves contract 5.2. */
describe('a token signed with a key of the attacker', () => {
  const jwk = other.publicKey.export({ format: 'jwk' });

  it('is 401 wherever its header places the key, and the service opens no connection', async () => {
    const url = trapUrl();
    await expectAllRejected(
      byName<object>(
        [
          ...[{ jwk }, { jwk: { ...jwk, kid: header['kid'] } }, { jwk: [jwk] }, { jwks: { keys: [jwk] } }, { key: jwk }],
          ...[{ jku: url }, { jku: [url] }, { JKU: url }, { jku: 'file:///dev/null' }, { x5u: url }, { jwks_uri: url }],
          ...[{ kid: url }, { iss: url }, { x5c: [jwk.n] }, { x5c: [] }, { x5t: jwk.n }, { crit: ['jku'], jku: url }],
          ...[{ zip: 'DEF' }, { cty: 'JWT' }, { epk: jwk }, { url }, { trust_chain: [valid] }],
        ],
        (more) => signed(content({ ...header, ...more }), other.privateKey),
      ),
    );
    expect(connections).toBe(0);
  });

  it('is 401 with the URL of another server as its issuer, and the service opens no connection', async () => {
    await expectAllRejected(
      byName([trapUrl(), new URL('/', trapUrl()).href], (iss) => signed(content(header, { ...claims, iss }), other.privateKey)),
    );
    expect(connections).toBe(0);
  });
});

/** Proves contract 5.2. */
describe('a damaged token', () => {
  it('is 401 when it is cut off at any place', () =>
    expectAllRejected(
      byName(
        Array.from({ length: 60 }, (_, nth) => Math.floor(((nth + 0.5) * valid.length) / 60)),
        (end) => valid.slice(0, end),
      ),
    ));

  it('is 401 when any of its characters is changed', () => {
    // Does not change the kid. A token with an unknown kid waits for a read of the keys (contract 31.2), and this clock does not
    // advance.
    const kid = { from: encoded({ alg: header['alg'], typ: header['typ'] }).length - 4, to: valid.indexOf('.') };
    const places = Array.from({ length: 80 }, (_, nth) => Math.floor((nth * valid.length) / 80)).filter(
      (at) => at < kid.from || at > kid.to,
    );
    return expectAllRejected(byName(places, (at) => valid.slice(0, at) + (valid[at] === 'A' ? 'B' : 'A') + valid.slice(at + 1)));
  });

  it('is 401 when it is encrypted, nested or in the JSON form', () =>
    expectAllRejected({
      'encrypted without a key': `${encoded({ alg: 'dir', enc: 'A256GCM' })}..AAAA.${encoded(claims)}.AAAA`,
      'encrypted with a password': `${encoded({ alg: 'PBES2-HS256+A128KW', enc: 'A128GCM', p2c: 2_147_483_647, p2s: 'AAAA' })}.AA.AA.AA.AA`,
      'inside another': signed(`${encoded({ ...header, cty: 'JWT' })}.${encoded(valid)}`),
      'in the JSON form': encoded({ payload: valid.split('.')[1], protected: valid.split('.')[0], signature: valid.split('.')[2] }),
    }));

  it('is 401 if it fits into the limit of headers, and 431 with a size of a megabyte', async () => {
    await expectAllRejected(byName([6_200, 8_000, 11_000], (size) => signed(content(header, { ...claims, more: 'x'.repeat(size) }))));
    const response = await send(`${valid}${'A'.repeat(1_048_576)}`);
    expectProblem(response, 431, 'header-fields-too-large');
    expect(log).not.toContain('A'.repeat(100));
  });
});

/** Proves contract 5.2 and contract 6.3. */
describe('a token signed with the service’s key', () => {
  const claimed = (text: string): string => signed(`${encoded(header)}.${encoded(text)}`);
  const without = (name: string): string => JSON.stringify({ ...claims, [name]: undefined }).slice(0, -1);

  it('with a repeated claim has the last value of that claim', async () => {
    const now = clock.now().getTime() / 1000;
    await expectAllRejected({
      'an expiry after a valid one': claimed(`${without('exp')},"exp":${now + 60},"exp":${now - 60}}`),
      'an issuer after a valid one': claimed(`${without('iss')},"iss":"${String(claims['iss'])}","iss":"elsewhere"}`),
      'an audience after a valid one': claimed(`${without('aud')},"aud":"petstore","aud":"elsewhere"}`),
    });
    const twice = claimed(`${without('scope')},"tenant":"${TENANTS[0]}","scope":"ops","tenant":"${TENANTS[1]}","scope":"read:pets"}`);
    expect([(await send(twice, { 'x-tenant-id': TENANTS[1] })).status, (await send(twice, { 'x-tenant-id': TENANTS[0] })).status]).toEqual([
      200, 403,
    ]);
    expectProblem(await client.send('POST', '/v1/pets', { token: twice, body: {} }), 403, 'forbidden');
  });

  it('is accepted, and the log names the request without the token', async () => {
    expect((await send(valid)).status).toBe(200);
    expect([log.includes('/v1/inventories'), log.includes(valid.slice(-40)), log.includes(valid.slice(0, 40))]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is 401 from the second of its expiry on, also after it was accepted', async () => {
    clock.advance(3_600_000);
    expectInvalidToken(valid, await send(valid));
  });
});
