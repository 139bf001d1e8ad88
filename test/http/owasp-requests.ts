import { expect } from '@jest/globals';
import type { HttpResponse } from '../servers/client.js';
import { attack, attacks, type Attack, type Attempt, type Scene } from './owasp-attacks.js';
import { newUser, PRICED_PET } from './shop.js';

/** Addresses to which the service sends nothing, whatever their notation. */
const FORBIDDEN = {
  'the metadata of a cloud are requested': 'http://169.254.169.254/latest/meta-data/',
  'the metadata are requested in decimal': 'http://2852039166/',
  'the metadata are requested in octal': 'http://0251.0376.0251.0376/',
  'the metadata are requested in hexadecimal': 'http://0xa9fea9fe/',
  'the metadata are requested as mapped IPv6': 'http://[::ffff:169.254.169.254]/',
  'the metadata are requested as NAT64': 'http://[64:ff9b::a9fe:a9fe]/',
  'a private network is requested': 'http://10.0.0.1/',
  'another private network is requested': 'http://192.168.0.1/',
  'a carrier-grade NAT address is requested': 'http://100.64.0.1/',
  'a link-local address is requested': 'http://[fe80::1]/',
  'a unique local address is requested': 'http://[fd00::1]/',
  'a multicast address is requested': 'http://224.0.0.1/',
  'a name of a local network is requested': 'http://printer.local/',
  'a name without a domain is requested': 'http://intranet/',
  'a login is in the address': 'http://user:password@example.com/',
  'a port of another service is requested': 'http://example.com:22/',
};

/** Texts that are no valid link (contract 3.3). */
const NO_LINKS = {
  'a file is requested': 'file:///etc/passwd',
  'gopher is requested': 'gopher://127.0.0.1:6379/_FLUSHALL',
  'a script is requested': 'javascript:alert(1)',
  'data are requested': 'data:text/html,x',
  'a line break is in the address': 'http://example.com/\r\nHost: internal',
};

const registration = (url: string): Attempt => ['staff', 'POST', '/v1/webhooks', { body: { url, events: ['payment.failed'] } }];
const callback = async (callbackUrl: string, { make }: Scene): Promise<Attempt> => {
  const body = { amount: '250.00', currency: 'USD', timestamp: '2026-01-02T03:04:05Z', callbackUrl };
  return ['ann', 'POST', `/v1/orders/${await make('order')}`, { body }];
};
const named = <T>(prefix: string, values: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix} ${name}`, value]));

/** API7:2023, server side request forgery: callers cannot make the service send requests to forbidden addresses. */
export const REQUEST_FORGERY: readonly Attack[] = [
  ...attacks({ ...FORBIDDEN, ...NO_LINKS }, 'contract 21.2', (url) => registration(url), 422),
  ...attacks(named('by a callback,', { ...FORBIDDEN, ...NO_LINKS }), 'contract 21.2', callback, 400),
  attack(
    'an endpoint moves to a forbidden address',
    'contract 21.2',
    async ({ make }) => [
      'staff',
      'PUT',
      `/v1/webhooks/${await make('webhook')}`,
      { body: { url: 'http://169.254.169.254/', events: ['payment.failed'] } },
    ],
    422,
  ),
  attack(
    'a photo is at an address of the receiver',
    'contract 12.1',
    ({ receiver }) => [
      'staff',
      'POST',
      '/v1/pets',
      { body: { ...PRICED_PET, photos: [`${receiver.url}/photo`, 'http://169.254.169.254/'] } },
    ],
    201,
    (_, { receiver }) => expect(receiver.received.map(({ path }) => path)).not.toContain('/photo'),
  ),
  attack('another host is named', 'contract 2.10', () => ['nobody', 'GET', '/v1/pets', { headers: { host: 'internal.example.com' } }], 421),
  attack(
    'a link is made from headers',
    'contract 1.5',
    () => [
      'nobody',
      'POST',
      '/v1/users',
      { body: newUser(), headers: { 'x-forwarded-host': 'evil.example.com', forwarded: 'host=evil.example.com' } },
    ],
    201,
    ({ headers }, { service }) => expect(headers.location?.startsWith(`${service.url}/`)).toBe(true),
  ),
];

const expectNoPermission = ({ headers }: HttpResponse): void => expect(headers['access-control-allow-origin']).toBeUndefined();

/** API8:2023, security misconfiguration: defaults are safe, and responses reveal nothing about the implementation. */
export const MISCONFIGURATION: readonly Attack[] = [
  ...attacks(
    {
      'a page of another origin reads': 'https://evil.example.com',
      'a page without an origin reads': 'null',
      'a page of a similar origin reads': 'http://localhost.evil.example.com',
    },
    'contract 2.10',
    (origin) => ['nobody', 'GET', '/v1/pets', { headers: { origin } }],
    200,
    expectNoPermission,
  ),
  attack(
    'a page of another origin sends a preflight',
    'contract 2.10',
    () => ['nobody', 'OPTIONS', '/v1/pets', { headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'DELETE' } }],
    204,
    expectNoPermission,
  ),
  attack(
    'a browser guesses the type of a response',
    'contract 2.9',
    () => ['nobody', 'GET', '/v1/pets'],
    200,
    ({ headers }) => expect(headers['x-content-type-options']).toBe('nosniff'),
  ),
  attack(
    'headers are read to identify the software',
    'contract 4.7',
    () => ['nobody', 'GET', '/v1/pets'],
    200,
    ({ headers }) => expect([headers.server, headers['x-powered-by'], headers['via']]).toEqual([undefined, undefined, undefined]),
  ),
  attack(
    'an account is kept by shared caches',
    'contract 2.8',
    ({ ann }) => ['operator', 'GET', `/v1/users/${ann.id}`],
    200,
    ({ headers }) =>
      expect([headers['cache-control'], headers.vary]).toEqual([
        'private, no-cache',
        expect.stringMatching(/Authorization.*X-Tenant-ID|X-Tenant-ID.*Authorization/),
      ]),
  ),
  attack(
    'an error is kept by caches',
    'contract 2.8',
    ({ ann }) => ['bob', 'DELETE', `/v1/users/${ann.id}`],
    404,
    ({ headers }) => expect(headers['cache-control']).toBe('no-store'),
  ),
  ...attacks(
    {
      'a form is sent': 'application/x-www-form-urlencoded',
      'a form is sent as plain text': 'text/plain',
      'XML is sent': 'application/xml',
      'another charset is sent': 'application/json; charset=utf-16',
      'a file is sent': 'multipart/form-data; boundary=x',
    },
    'contract 2.1',
    (type) => ['nobody', 'POST', '/v1/users', { body: newUser(), headers: { 'content-type': type } }],
    415,
  ),
  attack('a request is traced', 'contract 2.3', () => ['nobody', 'TRACE', '/v1/pets'], 405),
  ...attacks(
    Object.fromEntries(
      ['/.env', '/.git/config', '/v1/.env', '/package.json', '/server-status', '/debug/pprof', '/console', '/backup.sql'].map((path) => [
        `${path} is requested`,
        path,
      ]),
    ),
    'contract 2.3',
    (path) => ['nobody', 'GET', path],
    404,
  ),
  attack(
    'markup is in an error',
    'contract 4.7',
    () => ['nobody', 'POST', '/v1/users', { body: { ...newUser(), '<script>alert(1)</script>': 1 } }],
    422,
    ({ headers }) =>
      expect([headers['content-type'], headers['x-content-type-options']]).toEqual([
        expect.stringContaining('application/problem+json'),
        'nosniff',
      ]),
  ),
  attack(
    'a request id has spaces and markup',
    'contract 2.6',
    () => ['nobody', 'GET', '/v1/pets', { headers: { 'x-request-id': 'a b <script>' } }],
    200,
    ({ headers }) => expect(headers['x-request-id']).toMatch(/^[\w-]{1,128}$/),
  ),
  attack('a body is no JSON', 'contract 4.7', () => ['nobody', 'POST', '/v1/users', { raw: '{"username": ' }], 400),
];

/** API9:2023, improper inventory management: the service has no operation that the contract does not list. */
export const INVENTORY: readonly Attack[] = [
  ...attacks(
    Object.fromEntries(
      [
        '/v0/pets',
        '/v2/pets',
        '/pets',
        '/api/v2/pet/1',
        '/api/v1/pets',
        '/beta/pets',
        '/v1beta/pets',
        '/v1/internal',
        '/v1/test',
        '/v1/debug',
        '/v1/audit',
        '/v1/chat',
        '/graphql',
        '/metrics',
        '/actuator/health',
        '/swagger-ui',
        '/v1/openapi.json',
        '/v1/users/export',
      ].map((path) => [`${path} is tried`, path]),
    ),
    'contract 2.3',
    (path) => ['staff', 'GET', path],
    404,
  ),
  attack(
    'an older version is requested by a header',
    'contract 28.1',
    () => [
      'nobody',
      'GET',
      '/v1/pets',
      { headers: { 'accept-version': '0', 'api-version': '0', accept: 'application/vnd.petstore.v0+json' } },
    ],
    200,
  ),
  attack(
    'the Host header names a test system',
    'contract 2.10',
    () => ['nobody', 'GET', '/v1/pets', { headers: { host: 'staging.example.com' } }],
    421,
  ),
  attack(
    'the description has operations that are deprecated',
    'contract 28.6',
    () => ['nobody', 'GET', '/openapi.json'],
    200,
    ({ text }) => expect(text).not.toContain('"deprecated":true'),
  ),
  attack(
    'the description names other servers',
    'contract 1.5',
    () => ['nobody', 'GET', '/openapi.json'],
    200,
    ({ json }, { service }) =>
      expect((json as { servers: readonly { url: string }[] }).servers.map(({ url }) => url.startsWith(service.url))).toEqual([true]),
  ),
];
