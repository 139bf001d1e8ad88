import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestPetstore, type TestPetstore } from '../servers/test-petstore.js';
import { exchangeRaw } from './raw-http.js';
import { openShop, PLAIN_PET, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
beforeAll(async () => {
  service = await startTestPetstore();
  shop = await openShop(service);
});
afterAll(() => service.stop());

const host = (): string => `Host: ${new URL(service.url).host}`;
/** A request line and headers, with the empty line after them. */
const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const get = (...headers: readonly string[]): string => head('GET /v1/pets HTTP/1.1', host(), ...headers);
const line = (requestLine: string, ...headers: readonly string[]): string => head(requestLine, host(), ...headers);
const BODY = '{"name":"Luna","species":"DOG","ageMonths":18}';
/** The creation of a pet with the given framing headers and body. */
const post = (framing: readonly string[], body: string): string =>
  `${head('POST /v1/pets HTTP/1.1', host(), `Authorization: Bearer ${shop.staff}`, 'Content-Type: application/json', ...framing)}${body}`;
const chunked = (body: string, framing = 'Transfer-Encoding: chunked'): string => post([framing], body);
const inChunks = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const sized = (length: string): string => post([`Content-Length: ${length}`], BODY);

/** A name, the bytes, the status of the first response, and the problem's kind if it is a problem. */
type Case = readonly [string, () => string, number, string?];
const BAD = [400, 'malformed-request'] as const;

const REQUEST_LINES: readonly Case[] = [
  ['that is valid', () => get(), 200],
  ['after empty lines', () => `\r\n\r\n${get()}`, 200],
  ['of HTTP/1.0', () => line('GET /v1/pets HTTP/1.0'), 200],
  ['of HTTP/0.9', () => 'GET /v1/pets\r\n\r\n', ...BAD],
  ['with the version HTTP/0.9', () => line('GET /v1/pets HTTP/0.9'), ...BAD],
  ['of HTTP/1.2', () => line('GET /v1/pets HTTP/1.2'), ...BAD],
  ['of HTTP/2.0', () => line('GET /v1/pets HTTP/2.0'), ...BAD],
  ['of HTTP/3.7', () => line('GET /v1/pets HTTP/3.7'), ...BAD],
  ['of http/1.1 in small letters', () => line('GET /v1/pets http/1.1'), ...BAD],
  ['of another protocol', () => line('GET /v1/pets ICY/1.1'), ...BAD],
  ['with the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', ...BAD],
  ['that is a TLS handshake', () => '\x16\x03\x01\x02\x00\x01\x00', ...BAD],
  ['without a method', () => line(' /v1/pets HTTP/1.1'), ...BAD],
  ['of a method in small letters', () => line('get /v1/pets HTTP/1.1'), ...BAD],
  ['of an unknown method', () => line('FETCH /v1/pets HTTP/1.1'), ...BAD],
  ['of a method with a NUL', () => line('GE\0T /v1/pets HTTP/1.1'), ...BAD],
  ['with two spaces', () => line('GET  /v1/pets HTTP/1.1'), 200],
  ['with tabs', () => line('GET\t/v1/pets\tHTTP/1.1'), ...BAD],
  ['with a space at the start', () => line(' GET /v1/pets HTTP/1.1'), ...BAD],
  ['with a space in its target', () => line('GET /v1/pets /x HTTP/1.1'), ...BAD],
  ['with a NUL in its target', () => line('GET /v1/pe\0ts HTTP/1.1'), ...BAD],
  ['with a control character in its target', () => line('GET /v1/pe\x01ts HTTP/1.1'), ...BAD],
  ['with DEL in its target', () => line('GET /v1/pe\x7fts HTTP/1.1'), ...BAD],
  ['with non-ASCII bytes in its target', () => line('GET /v1/p\xe9ts HTTP/1.1'), ...BAD],
  ['with UTF-8 in its target', () => line('GET /v1/p\xc3\xa9ts HTTP/1.1'), ...BAD],
  ['with a fragment', () => line('GET /v1/pets#top HTTP/1.1'), 400, 'invalid-request'],
  ['with invalid percent-encoding', () => line('GET /% HTTP/1.1'), ...BAD],
  ['with invalid percent-encoding in an id', () => line('GET /v1/pets/%FF HTTP/1.1'), ...BAD],
  ['with invalid percent-encoding and another host', () => head('GET /% HTTP/1.1', 'Host: evil.example'), 421, 'misdirected-request'],
  ['with needless percent-encoding', () => line('GET /%76%31/p%65ts HTTP/1.1'), 200],
  ['without a slash', () => line('GET v1/pets HTTP/1.1'), ...BAD],
  ['with a backslash', () => line('GET \\v1\\pets HTTP/1.1'), ...BAD],
  ['of 15 KiB', () => line(`GET /v1/${'x'.repeat(15_000)} HTTP/1.1`), 404, 'not-found'],
  ['of 17 KiB', () => line(`GET /v1/${'x'.repeat(17_000)} HTTP/1.1`), 431, 'header-fields-too-large'],
  ['of a megabyte', () => line(`GET /v1/${'x'.repeat(1_000_000)} HTTP/1.1`), 431, 'header-fields-too-large'],
  ['with an absolute URL', () => line(`GET ${service.url}/v1/pets HTTP/1.1`), 200],
  ['with the absolute URL of the root', () => line(`GET ${service.url} HTTP/1.1`), 200],
  ['with an absolute URL of another host', () => line('GET http://evil.example/v1/pets HTTP/1.1'), 421, 'misdirected-request'],
  ['with an absolute URL of another scheme', () => line(`GET ftp://${new URL(service.url).host}/v1/pets HTTP/1.1`), ...BAD],
  ['with an absolute URL without a host', () => line('GET http:///v1/pets HTTP/1.1'), ...BAD],
  ['with an absolute URL with a password', () => line('GET http://a:b@localhost/v1/pets HTTP/1.1'), ...BAD],
  ['with only a host and a port', () => line('GET localhost:80 HTTP/1.1'), ...BAD],
  ['of CONNECT', () => line('CONNECT localhost:80 HTTP/1.1'), 501, 'not-implemented'],
  ['of CONNECT to a path', () => line('CONNECT /v1/pets HTTP/1.1'), 501, 'not-implemented'],
  ['of OPTIONS *', () => line('OPTIONS * HTTP/1.1'), 204],
  ['of GET *', () => line('GET * HTTP/1.1'), ...BAD],
  ['of TRACE', () => line('TRACE /v1/pets HTTP/1.1'), 405, 'method-not-allowed'],
  ['of TRACE *', () => line('TRACE * HTTP/1.1'), ...BAD],
  ['of PROPFIND', () => line('PROPFIND /v1/pets HTTP/1.1'), 405, 'method-not-allowed'],
  ['of PURGE', () => line('PURGE /v1/pets HTTP/1.1'), 405, 'method-not-allowed'],
  ['of M-SEARCH', () => line('M-SEARCH /v1/pets HTTP/1.1'), 405, 'method-not-allowed'],
  ['of SOURCE', () => line('SOURCE /v1/pets HTTP/1.1'), 405, 'method-not-allowed'],
];

const HOSTS: readonly Case[] = [
  ['missing', () => head('GET /v1/pets HTTP/1.1'), ...BAD],
  ['missing on a POST', () => head('POST /v1/orders HTTP/1.1', 'Content-Length: 0'), ...BAD],
  ['missing in HTTP/1.0', () => head('GET /v1/pets HTTP/1.0'), 200],
  ['missing with an absolute URL', () => head(`GET ${service.url}/v1/pets HTTP/1.1`), ...BAD],
  ['twice', () => get(host()), ...BAD],
  ['twice, the second one in upper case', () => get(host().toUpperCase()), ...BAD],
  ['twice, the second one different', () => get('Host: evil.example'), ...BAD],
  ['twice, the first one different', () => head('GET /v1/pets HTTP/1.1', 'Host: evil.example', host()), ...BAD],
  ['three times', () => get(host(), host()), ...BAD],
  ['empty', () => head('GET /v1/pets HTTP/1.1', 'Host:'), 421, 'misdirected-request'],
  ['of another name', () => head('GET /v1/pets HTTP/1.1', 'Host: evil.example'), 421, 'misdirected-request'],
  ['of another name with the same start', () => head('GET /v1/pets HTTP/1.1', 'Host: localhost.evil.example'), 421, 'misdirected-request'],
  ['a list', () => head('GET /v1/pets HTTP/1.1', 'Host: localhost, evil.example'), ...BAD],
  ['with a path', () => head('GET /v1/pets HTTP/1.1', 'Host: localhost/v1'), ...BAD],
  ['with a name and password', () => head('GET /v1/pets HTTP/1.1', 'Host: a:b@localhost'), ...BAD],
  ['with a space', () => head('GET /v1/pets HTTP/1.1', 'Host: local host'), ...BAD],
  ['with a malformed port', () => head('GET /v1/pets HTTP/1.1', 'Host: localhost:http'), ...BAD],
  ['with two ports', () => head('GET /v1/pets HTTP/1.1', 'Host: localhost:80:80'), ...BAD],
  ['with a fragment', () => head('GET /v1/pets HTTP/1.1', 'Host: localhost#x'), ...BAD],
  ['in capitals', () => head('GET /v1/pets HTTP/1.1', 'HOST: LOCALHOST'), 200],
  ['an address of IPv6', () => head('GET /v1/pets HTTP/1.1', 'Host: [::1]:3000'), 200],
];

const HEADERS: readonly Case[] = [
  ['a space before the colon', () => get('X-A : 1'), ...BAD],
  ['a space in the name', () => get('X A: 1'), ...BAD],
  ['no name', () => get(': 1'), ...BAD],
  ['no colon', () => get('X-A'), ...BAD],
  ['a name with parentheses', () => get('X(A): 1'), ...BAD],
  ['a non-ASCII name', () => get('X-\xe9: 1'), ...BAD],
  ['a NUL in the name', () => get('X-\0A: 1'), ...BAD],
  ['a NUL in the value', () => get('X-A: 1\x002'), ...BAD],
  ['a control character in the value', () => get('X-A: 1\x012'), ...BAD],
  ['a bare CR in the value', () => get('X-A: 1\r2'), ...BAD],
  ['a bare LF before another header', () => get('X-A: 1\nX-B: 2'), ...BAD],
  ['only bare LFs', () => `GET /v1/pets HTTP/1.1\n${host()}\n\n`, ...BAD],
  ['a folded value', () => get('X-A: 1\r\n 2'), ...BAD],
  ['a value folded with a tab', () => get('X-A: 1\r\n\t2'), ...BAD],
  ['a folded first header', () => head('GET /v1/pets HTTP/1.1', ' X-A: 1', host()), ...BAD],
  ['a folded Transfer-Encoding', () => chunked(inChunks, 'Transfer-Encoding:\r\n chunked'), ...BAD],
  ['non-ASCII bytes in the value', () => get('X-A: \xe9'), 200],
  ['a value of 15 KiB', () => get(`X-A: ${'x'.repeat(15_000)}`), 200],
  ['a value of 17 KiB', () => get(`X-A: ${'x'.repeat(17_000)}`), 431, 'header-fields-too-large'],
  ['a name of 17 KiB', () => get(`${'x'.repeat(17_000)}: 1`), 431, 'header-fields-too-large'],
  ['three thousand headers', () => get(...Array<string>(3_000).fill('a:')), 200],
  ['three thousand headers before X-Tenant-ID', () => get(...Array<string>(3_000).fill('a:'), 'X-Tenant-ID: none'), 400, 'invalid-request'],
  ['three thousand headers before a second Host', () => get(...Array<string>(3_000).fill('a:'), host()), ...BAD],
  ['ten thousand headers', () => get(...Array<string>(10_000).fill('a:')), 200],
  ['twenty thousand headers', () => get(...Array<string>(20_000).fill('a:')), 431, 'header-fields-too-large'],
  ['__proto__', () => get('__proto__: 1'), 200],
  ['a malformed If-None-Match', () => get('If-None-Match: {'), 200],
  ['an unknown expectation', () => get('Expect: foo'), 417, 'expectation-failed'],
  [
    'an unknown expectation with a body',
    () => post(['Expect: 200-maybe', `Content-Length: ${BODY.length}`], BODY),
    417,
    'expectation-failed',
  ],
  ['two expectations', () => get('Expect: 100-continue, foo'), 417, 'expectation-failed'],
  ['an empty expectation', () => get('Expect:'), 417, 'expectation-failed'],
  [
    'an upgrade to a web socket',
    () => get('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version: 13'),
    200,
  ],
  ['an upgrade to HTTP/2', () => get('Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'), 200],
  ['Connection: close', () => get('Connection: close'), 200],
  ['Connection that names X-Tenant-ID', () => get('Connection: X-Tenant-ID', 'X-Tenant-ID: none'), 400, 'invalid-request'],
  ['X-HTTP-Method-Override', () => get('X-HTTP-Method-Override: DELETE'), 200],
  ['Content-Length on a GET', () => `${get('Content-Length: 3')}abc`, 200],
];

const LENGTHS: readonly Case[] = [
  ['that is valid', () => sized(String(BODY.length)), 201],
  ['with zeros in front', () => sized(`000${BODY.length}`), 201],
  ['with a plus', () => sized(`+${BODY.length}`), ...BAD],
  ['with a minus', () => sized(`-${BODY.length}`), ...BAD],
  ['with a space in it', () => sized('4 6'), ...BAD],
  ['in hexadecimal', () => sized('0x2e'), ...BAD],
  ['with an exponent', () => sized('46e0'), ...BAD],
  ['with a point', () => sized('46.0'), ...BAD],
  ['a list', () => sized('46, 46'), ...BAD],
  ['a list of different lengths', () => sized('46, 47'), ...BAD],
  ['empty', () => sized(''), ...BAD],
  ['a word', () => sized('many'), ...BAD],
  ['of forty digits', () => sized('9'.repeat(40)), ...BAD],
  ['2^64', () => sized('18446744073709551616'), ...BAD],
  ['of 2 MiB', () => post(['Content-Length: 2097152', 'Connection: close'], '{'.repeat(2_097_152)), 413, 'content-too-large'],
  ['twice', () => post([`Content-Length: ${BODY.length}`, `Content-Length: ${BODY.length}`], BODY), ...BAD],
  ['twice, with different values', () => post([`Content-Length: ${BODY.length}`, 'Content-Length: 0'], BODY), ...BAD],
  ['with a space before the colon', () => post([`Content-Length : ${BODY.length}`], BODY), ...BAD],
  ['missing without a body', () => post([], ''), 400, 'malformed-request'],
  ['together with chunks', () => post([`Content-Length: ${inChunks.length}`, 'Transfer-Encoding: chunked'], inChunks), ...BAD],
  ['together with chunks, after them', () => post(['Transfer-Encoding: chunked', `Content-Length: ${inChunks.length}`], inChunks), ...BAD],
  ['together with chunks in mixed case', () => post(['Content-Length: 4', 'transfer-ENCODING: CHUNKED'], inChunks), ...BAD],
  ['together with another coding', () => post([`Content-Length: ${BODY.length}`, 'Transfer-Encoding: identity'], BODY), ...BAD],
];

const UNKNOWN = [501, 'not-implemented'] as const;
const CODINGS: readonly Case[] = [
  ['chunked', () => chunked(inChunks), 201],
  ['chunked in capitals', () => chunked(inChunks, 'Transfer-Encoding: CHUNKED'), 201],
  ['chunked after a tab', () => chunked(inChunks, 'Transfer-Encoding:\tchunked'), 201],
  ['gzip, chunked', () => chunked(inChunks, 'Transfer-Encoding: gzip, chunked'), ...UNKNOWN],
  ['deflate,chunked', () => chunked(inChunks, 'Transfer-Encoding: deflate,chunked'), ...UNKNOWN],
  ['gzip and chunked in two headers', () => chunked(inChunks, 'Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked'), ...UNKNOWN],
  ['identity, chunked', () => chunked(inChunks, 'Transfer-Encoding: identity, chunked'), ...UNKNOWN],
  ['nothing, chunked', () => chunked(inChunks, 'Transfer-Encoding: ,chunked'), ...UNKNOWN],
  ['chunked twice', () => chunked(inChunks, 'Transfer-Encoding: chunked, chunked'), ...BAD],
  ['chunked in two headers', () => chunked(inChunks, 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'), ...BAD],
  ['chunked, gzip', () => chunked(inChunks, 'Transfer-Encoding: chunked, gzip'), ...BAD],
  ['chunked, identity', () => chunked(inChunks, 'Transfer-Encoding: chunked, identity'), ...BAD],
  ['identity', () => chunked(inChunks, 'Transfer-Encoding: identity'), ...BAD],
  ['gzip', () => chunked(inChunks, 'Transfer-Encoding: gzip'), ...BAD],
  ['xchunked', () => chunked(inChunks, 'Transfer-Encoding: xchunked'), ...BAD],
  ['chunkedx', () => chunked(inChunks, 'Transfer-Encoding: chunkedx'), ...BAD],
  ['chunked in quotes', () => chunked(inChunks, 'Transfer-Encoding: "chunked"'), ...BAD],
  ['chunked with a parameter', () => chunked(inChunks, 'Transfer-Encoding: chunked;q=1'), ...BAD],
  ['nothing', () => chunked(inChunks, 'Transfer-Encoding:'), ...BAD],
  ['chunked with a vertical tab', () => chunked(inChunks, 'Transfer-Encoding: \x0bchunked'), ...BAD],
  ['chunked in a header name with a space', () => chunked(inChunks, 'Transfer-Encoding : chunked'), ...BAD],
  [
    'Transfer_Encoding: chunked, which is an unknown header, so the length is missing',
    () => chunked('', 'Transfer_Encoding: chunked'),
    ...BAD,
  ],
  ['chunked in HTTP/1.0', () => chunked(inChunks).replace('HTTP/1.1', 'HTTP/1.0'), ...BAD],
  ['TE: chunked', () => get('TE: chunked'), 200],
  ['gzip, chunked on a GET', () => `${get('Transfer-Encoding: gzip, chunked')}0\r\n\r\n`, ...UNKNOWN],
];

const CHUNKS: readonly Case[] = [
  ['in three', () => chunked(`1\r\n{\r\n${(BODY.length - 2).toString(16)}\r\n${BODY.slice(1, -1)}\r\n1\r\n}\r\n0\r\n\r\n`), 201],
  ['with a short extension', () => chunked(inChunks.replace('\r\n', ';a=b\r\n')), 201],
  ['with an extension in quotes', () => chunked(inChunks.replace('\r\n', ';a="b;c"\r\n')), 201],
  ['with an extension of 20 KiB', () => chunked(inChunks.replace('\r\n', `;a=${'b'.repeat(20_000)}\r\n`)), 413, 'content-too-large'],
  ['with ten thousand extensions', () => chunked(`${'1;abcdefgh\r\n \r\n'.repeat(10_000)}0\r\n\r\n`), ...BAD],
  ['with an extension that has a bare LF', () => chunked(inChunks.replace('\r\n', ';a\nb\r\n')), ...BAD],
  ['with malformed sizes', () => chunked('zz\r\n'), ...BAD],
  ['with a plus before the size', () => chunked('+2\r\n{}\r\n0\r\n\r\n'), ...BAD],
  ['with a negative size', () => chunked('-2\r\n{}\r\n0\r\n\r\n'), ...BAD],
  ['with 0x before the size', () => chunked('0x2\r\n{}\r\n0\r\n\r\n'), ...BAD],
  ['with a space before the size', () => chunked(' 2\r\n{}\r\n0\r\n\r\n'), ...BAD],
  ['without a size', () => chunked('\r\n{}\r\n0\r\n\r\n'), ...BAD],
  ['with a size of 17 digits', () => chunked(`${'f'.repeat(17)}\r\n{}\r\n0\r\n\r\n`), ...BAD],
  ['longer than their size', () => chunked('2\r\n{}}\r\n0\r\n\r\n'), ...BAD],
  ['that end with LF', () => chunked('2\n{}\n0\n\n'), ...BAD],
  ['that end with CR', () => chunked('2\r{}\r0\r\r'), ...BAD],
  ['of 2 MiB', () => chunked(`200000\r\n${'{'.repeat(0x200000)}\r\n0\r\n\r\n`), 413, 'content-too-large'],
  ['with trailers', () => chunked(inChunks.replace(/\r\n$/, 'X-A: 1\r\n\r\n')), 201],
  ['with X-Tenant-ID in a trailer, which is ignored', () => chunked(inChunks.replace(/\r\n$/, 'X-Tenant-ID: none\r\n\r\n')), 201],
  ['with Authorization in a trailer, which is ignored', () => chunked(inChunks.replace(/\r\n$/, 'Authorization: none\r\n\r\n')), 201],
  ['with a second Host in a trailer, which is ignored', () => chunked(inChunks.replace(/\r\n$/, 'Host: evil.example\r\n\r\n')), 201],
  ['with a malformed trailer', () => chunked(inChunks.replace(/\r\n$/, 'X A\r\n\r\n')), ...BAD],
  [
    'with trailers of 17 KiB',
    () => chunked(inChunks.replace(/\r\n$/, `X-A: ${'x'.repeat(17_000)}\r\n\r\n`)),
    431,
    'header-fields-too-large',
  ],
];

const GROUPS = [
  ['a request line', REQUEST_LINES],
  ['a Host', HOSTS],
  ['a header', HEADERS],
  ['a Content-Length', LENGTHS],
  ['a Transfer-Encoding', CODINGS],
  ['chunks', CHUNKS],
] as const;
const COUNT = GROUPS.reduce((count, [, cases]) => count + cases.length, 0);

/**
 * Proves contract 2.2, contract 2.3, contract 2.10, contract 2.11, contract 4.1, contract 4.9 and
 * contract 26.1.
 */
describe(`raw HTTP: ${COUNT} cases`, () => {
  it('are 181 cases', () => expect(COUNT).toBe(181));

  describe.each(GROUPS)('%s', (_group, cases) => {
    it.each(cases.map(([name, ...rest]) => [name, rest] as const))('%s', async (_, [bytes, status, kind]) => {
      const { responses, rest } = await exchangeRaw(service.url, bytes());
      const [response] = responses.filter((found) => found.status !== 100);
      expect({ status: response?.status, kind: kindOf(response?.body) }).toEqual({ status, kind });
      expect(rest).toBe('');
      expect(response?.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response?.headers.get('x-request-id')).toMatch(/^[\w.:/+=@-]{1,128}$/);
      if (kind === undefined) return;
      expect(response?.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
      expect(JSON.parse(response?.body ?? '{}')).toMatchObject({
        status,
        title: expect.any(String),
        detail: expect.any(String),
        instance: expect.stringMatching(/^\//),
      });
    });
  });
});

const kindOf = (body = ''): string | undefined => /\/errors\/([\w-]+)"/.exec(body)?.[1];

/** Proves contract 2.11. */
describe('the next request on a connection', () => {
  const statuses = async (bytes: string, count: number) => {
    const { responses, closed } = await exchangeRaw(service.url, bytes, count);
    return { statuses: responses.map(({ status }) => status), closed };
  };

  it('gets its response in order, also as one of a hundred pipelined requests', async () => {
    const requests = Array.from({ length: 100 }, (_, nth) => (nth % 2 === 0 ? get() : line('GET /nothing HTTP/1.1')));
    const expected = Array.from({ length: 100 }, (_, nth) => (nth % 2 === 0 ? 200 : 404));
    expect((await statuses(requests.join(''), 100)).statuses).toEqual(expected);
  });

  it('sees the effect of the previous request: a read, a deletion, and a read that returns 404', async () => {
    const { order } = await shop.sell();
    const path = `/v1/orders/${order.id}`;
    const requests = ['GET', 'DELETE', 'GET'].map((method) => line(`${method} ${path} HTTP/1.1`, `X-Tenant-ID: ${shop.tenant}`));
    expect((await statuses(requests.join(''), 3)).statuses).toEqual([200, 204, 404]);
  });

  it('gets no response after a request with Connection: close', async () => {
    expect(await statuses(get('Connection: close') + get(), 2)).toEqual({ statuses: [200], closed: true });
  });

  it.each<[string, () => string]>([
    ['a length and chunks', () => post(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${get()}`)],
    ['two lengths', () => post(['Content-Length: 0', `Content-Length: ${BODY.length}`], get())],
    ['another coding than chunked', () => chunked(`0\r\n\r\n${get()}`, 'Transfer-Encoding: gzip, chunked')],
    ['a coding in quotes', () => chunked('0\r\n\r\n', 'Transfer-Encoding: "chunked"')],
    ['a second Host', () => get('Host: evil.example') + get()],
    ['no Host', () => head('GET /v1/pets HTTP/1.1') + get()],
    ['an unknown expectation', () => post(['Expect: foo', 'Content-Length: 0'], '') + get()],
    ['a CONNECT', () => line('CONNECT localhost:80 HTTP/1.1') + get()],
    ['a malformed chunk', () => chunked(`zz\r\n${get()}`)],
  ])('is not read after %s: the connection is closed', async (_, bytes) => {
    const { statuses: received, closed } = await statuses(bytes(), 2);
    expect({ count: received.length, closed }).toEqual({ count: 1, closed: true });
    expect(received[0]).toBeGreaterThanOrEqual(400);
  });

  it('gets 100 Continue before its body, if it expects that', async () => {
    const bytes = post(['Expect: 100-Continue', `Content-Length: ${BODY.length}`], BODY);
    expect((await statuses(bytes, 1)).statuses).toEqual([100, 201]);
  });
});

describe('repeated headers', () => {
  const twice = (name: string, ...values: readonly string[]) => ({ headers: { [name]: values } });

  it.each([
    ['Authorization', () => ({ headers: { authorization: [`Bearer ${shop.staff}`, 'Bearer x'] } }), [401]],
    ['X-Tenant-ID', () => twice('x-tenant-id', 'a', 'b'), [400]],
    ['Idempotency-Key', () => twice('idempotency-key', 'a', 'b'), [400]],
    ['Content-Type', () => twice('content-type', 'application/json', 'text/plain'), [201, 400, 415]],
    ['X-Request-Id', () => twice('x-request-id', 'a', 'b'), [201]],
    ['If-None-Match', () => twice('if-none-match', '"a"', '"b"'), [201]],
  ] as const)('have a documented status: %s', async (_, headersOf, statuses) => {
    expect(statuses).toContain((await shop.requestAsStaff('POST', '/v1/pets', { body: PLAIN_PET, ...headersOf() })).status);
  });
});

/** Proves contract 2.2. */
describe('the body of a request to an operation that needs no body', () => {
  it('is ignored', async () => {
    const { id } = await shop.listPet();
    expect((await shop.requestAsStaff('DELETE', `/v1/pets/${id}`, { raw: '{ this is no JSON' })).status).toBe(204);
    const { order } = await shop.sell();
    expect((await shop.requestAsStaff('POST', `/v1/orders/${order.id}/shipment`, { body: { status: 'delivered' } })).json).toMatchObject({
      status: 'shipped',
    });
  });

  it('may be missing', async () => {
    const { order } = await shop.sell();
    const { status } = await shop.requestAsStaff('POST', `/v1/orders/${order.id}/shipment`, { headers: { 'content-length': '0' } });
    expect(status).toBe(200);
  });
});

describe('after all these requests', () => {
  it('another client is served', async () => expect((await shop.request('GET', '/v1/pets')).status).toBe(200));
});
