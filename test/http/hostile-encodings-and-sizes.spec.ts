import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { HttpResponse, RequestOptions } from '../servers/client.js';
import type { TestPetstore } from '../servers/test-petstore.js';
import { openHostileStore } from './hostile-petstore.js';
import { PLAIN_PET, type Pet, type Shop } from './shop.js';

let service: TestPetstore;
let shop: Shop;
let petId: string;
let orderId: string;
beforeAll(async () => {
  ({ service, shop, petId, orderId } = await openHostileStore());
});
afterAll(() => service.stop());

/** A request, the status of its response, and the problem's kind or the codes of its errors. */
type Case = readonly [name: string, request: () => readonly [string, string, RequestOptions?], status: number, problem?: string];
const MIB = 1_048_576;

const kindOf = ({ json }: HttpResponse): string | undefined => (json as { readonly type?: string } | undefined)?.type?.split('/errors/')[1];
const codesOf = ({ json }: HttpResponse): string | undefined =>
  (json as { readonly errors?: readonly { readonly code: string }[] } | undefined)?.errors?.map(({ code }) => code).join(' ');

const get = (path: string): ReturnType<Case[1]> => ['GET', path];
const post = (raw: string | Uint8Array, headers: RequestOptions['headers'] = {}): ReturnType<Case[1]> => [
  'POST',
  '/v1/pets',
  { raw, headers },
];
/** Returns a valid pet as JSON with an additional member. `member` is its JSON text. */
const withMember = (member: string): string => `{"name":"Luna","species":"DOG","ageMonths":18,${member}}`;
const withAge = (number: string): string => `{"name":"Luna","species":"DOG","ageMonths":${number}}`;
const withName = (json: string): string => `{"name":${json},"species":"DOG","ageMonths":18}`;
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));
const PET = JSON.stringify(PLAIN_PET);
const padded = (size: number): string => PET + ' '.repeat(size - PET.length);
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const nestedObjects = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

const INVALID_ID = [400, 'INVALID_FORMAT'] as const;
const NOT_FOUND = [404, 'not-found'] as const;
const UNREADABLE = [400, 'malformed-request'] as const;
const PATHS: readonly Case[] = [
  ['an id in capitals', () => get(`/v1/pets/${petId.toUpperCase()}`), 200],
  ['an id with a digit encoded', () => get(`/v1/pets/%${petId.charCodeAt(0).toString(16)}${petId.slice(1)}`), 200],
  ['an id encoded twice', () => get(`/v1/pets/%25${petId.charCodeAt(0).toString(16)}${petId.slice(1)}`), ...INVALID_ID],
  ['an id and a NUL', () => get(`/v1/pets/${petId}%00`), ...INVALID_ID],
  ['only a NUL', () => get('/v1/pets/%00'), ...INVALID_ID],
  ['an id and a line break', () => get(`/v1/pets/${petId}%0d%0aX-A:%201`), ...INVALID_ID],
  ['an id and a space', () => get(`/v1/pets/${petId}%20`), ...INVALID_ID],
  ['an id and a plus', () => get(`/v1/pets/${petId}+`), ...INVALID_ID],
  ['an id and a parameter', () => get(`/v1/pets/${petId};a=b`), ...INVALID_ID],
  ['an id in braces', () => get(`/v1/pets/%7B${petId}%7D`), ...INVALID_ID],
  ['an id as a URN', () => get(`/v1/pets/urn:uuid:${petId}`), ...INVALID_ID],
  ['an id without hyphens', () => get(`/v1/pets/${petId.replaceAll('-', '')}`), ...INVALID_ID],
  ['an id in full-width digits', () => get(`/v1/pets/${encodeURIComponent('０')}${petId.slice(1)}`), ...INVALID_ID],
  ['an id and a right-to-left mark', () => get(`/v1/pets/${petId}%E2%80%AE`), ...INVALID_ID],
  ['an encoded slash', () => get(`/v1/pets/a%2Fb`), ...INVALID_ID],
  ['an encoded backslash', () => get('/v1/pets/a%5Cb'), ...INVALID_ID],
  ['encoded parent segments', () => get('/v1/pets/..%2F..%2Fhealth%2Flive'), ...INVALID_ID],
  ['a parent segment', () => get('/v1/pets/../pets'), ...NOT_FOUND],
  ['a parent segment with encoded dots', () => get('/v1/pets/%2e%2e/pets'), ...NOT_FOUND],
  ['a dot segment', () => get('/v1/./pets'), ...NOT_FOUND],
  ['an encoded question mark', () => get('/v1/pets%3Fpage=1'), ...NOT_FOUND],
  ['an encoded number sign', () => get('/v1/pets/a%23b'), ...INVALID_ID],
  ['an encoded percent sign', () => get('/v1/pets/%25'), ...INVALID_ID],
  ['only a percent sign', () => get('/v1/pets/%'), ...UNREADABLE],
  ['half an escape', () => get('/v1/pets/%2'), ...UNREADABLE],
  ['an invalid escape', () => get('/v1/pets/%zz'), ...UNREADABLE],
  ['a %u escape', () => get('/v1/pets/%u0041'), ...UNREADABLE],
  ['an invalid byte of UTF-8', () => get('/v1/pets/%ff'), ...UNREADABLE],
  ['an incomplete character', () => get('/v1/pets/%E0%A4'), ...UNREADABLE],
  ['an overlong encoding of a slash', () => get('/v1/pets/%c0%af'), ...UNREADABLE],
  ['an overlong encoding of NUL', () => get('/v1/pets/%c0%80'), ...UNREADABLE],
  ['a surrogate', () => get('/v1/pets/%ed%a0%80'), ...UNREADABLE],
  ['a code point above the maximum', () => get('/v1/pets/%f4%90%80%80'), ...UNREADABLE],
  ['an emoji', () => get('/v1/pets/%F0%9F%98%80'), ...INVALID_ID],
  ['a slash at the end', () => get('/v1/pets/'), ...NOT_FOUND],
  ['two slashes', () => get('/v1//pets'), ...NOT_FOUND],
  ['two slashes in front', () => get('//v1/pets'), ...NOT_FOUND],
  ['capitals', () => get('/V1/PETS'), ...NOT_FOUND],
  ['a letter of the address encoded', () => get('/v1/%70ets'), 200],
  ['search encoded', () => get('/v1/pets/%73earch'), 405, 'method-not-allowed'],
  ['a slash of the address encoded', () => get('/v1%2Fpets'), ...NOT_FOUND],
  ['__proto__', () => get('/v1/pets/__proto__'), ...INVALID_ID],
  ['constructor as an error’s kind', () => get('/errors/constructor'), ...NOT_FOUND],
  ['__proto__ as an error’s kind', () => get('/errors/__proto__'), ...NOT_FOUND],
  ['parent segments below the documentation', () => get('/docs/..%2f..%2fpackage.json'), ...NOT_FOUND],
  ['15 KiB', () => get(`/v1/pets/${'%41'.repeat(5_000)}`), ...INVALID_ID],
];

const list = (query: string): ReturnType<Case[1]> => get(`/v1/pets?${query}`);
const UNKNOWN = [400, 'unknown_parameter'] as const;
const MISTYPED = [400, 'invalid_type'] as const;
const QUERIES: readonly Case[] = [
  ['nothing', () => list(''), 200],
  ['only ampersands', () => list('&&&'), 200],
  ['a value encoded', () => list('species=%44%4f%47'), 200],
  ['a name encoded', () => list('%73pecies=DOG'), 200],
  ['a value in small letters', () => list('species=dog'), 200],
  ['a value twice', () => list('species=DOG&species=CAT'), 400, 'repeated'],
  ['the same value twice', () => list('species=DOG&species=DOG'), 400, 'repeated'],
  ['a name and the name encoded', () => list('species=DOG&%73pecies=CAT'), 400, 'repeated'],
  ['a list in brackets', () => list('species[]=DOG'), ...UNKNOWN],
  ['a member in brackets', () => list('species[a]=DOG'), ...UNKNOWN],
  ['a name in capitals', () => list('SPECIES=DOG'), ...UNKNOWN],
  ['a name with a NUL', () => list('species%00=DOG'), ...UNKNOWN],
  ['a name with a byte order mark', () => list('%EF%BB%BFspecies=DOG'), ...UNKNOWN],
  ['no name', () => list('=1'), ...UNKNOWN],
  ['__proto__', () => list('__proto__=1'), ...UNKNOWN],
  ['__proto__ with a member', () => list('__proto__[page]=1'), ...UNKNOWN],
  ['constructor', () => list('constructor=1'), ...UNKNOWN],
  ['toString', () => list('toString=1'), ...UNKNOWN],
  ['hasOwnProperty', () => list('hasOwnProperty=1'), ...UNKNOWN],
  ['semicolons', () => list('page=1;limit=2'), ...MISTYPED],
  ['another question mark', () => list('?page=1'), ...UNKNOWN],
  ['an empty value', () => list('species='), 422, 'invalid_enum'],
  ['a value with a NUL', () => list('species=DOG%00'), 422, 'invalid_enum'],
  ['a value of invalid UTF-8', () => list('species=%ff'), 422, 'invalid_enum'],
  ['a value with an invalid escape', () => list('species=%zz'), 422, 'invalid_enum'],
  ['a value with half an escape', () => list('species=DOG%'), 422, 'invalid_enum'],
  ['a value encoded twice', () => list('species=%2544OG'), 422, 'invalid_enum'],
  ['a value in full-width letters', () => list(`species=${encodeURIComponent('ＤＯＧ')}`), 422, 'invalid_enum'],
  ['a value with a Turkish dotless i', () => list(`species=${encodeURIComponent('bırd')}`), 422, 'invalid_enum'],
  ['a value with a dotted capital I', () => list(`status=${encodeURIComponent('AVAİLABLE')}`), 422, 'invalid_enum'],
  ['a value of 15 KiB', () => list(`species=${'x'.repeat(15_000)}`), 422, 'invalid_enum'],
  ['a page with an exponent', () => list('page=1e3'), ...MISTYPED],
  ['a page in hexadecimal', () => list('page=0x1'), ...MISTYPED],
  ['a page with a plus', () => list('page=%2B1'), ...MISTYPED],
  ['a page with a space', () => list('page=+1'), ...MISTYPED],
  ['a page with a point', () => list('page=1.0'), ...MISTYPED],
  ['a page with an underscore', () => list('page=1_0'), ...MISTYPED],
  ['a page in Arabic digits', () => list(`page=${encodeURIComponent('١')}`), ...MISTYPED],
  ['a page that is NaN', () => list('page=NaN'), ...MISTYPED],
  ['a page that is Infinity', () => list('page=Infinity'), ...MISTYPED],
  ['an empty page', () => list('page='), ...MISTYPED],
  ['a page without a value', () => list('page'), ...MISTYPED],
  ['a page with zeros in front', () => list('page=0001'), 200],
  ['page 0', () => list('page=0'), 422, 'too_small'],
  ['page -0', () => list('page=-0'), 422, 'too_small'],
  ['page -1', () => list('page=-1'), 422, 'too_small'],
  ['page 2^31', () => list('page=2147483648'), 422, 'too_big'],
  ['page 2^31 - 1', () => list('page=2147483647'), 200],
  ['a page of ten thousand digits', () => list(`page=${'9'.repeat(10_000)}`), 422, 'invalid_type'],
  ['limit 101', () => list('limit=101'), 422, 'too_big'],
  ['a minimum age above the maximum', () => list('ageMin=2&ageMax=1'), 422, 'too_big'],
  ['a boolean in capitals', () => list('goodWithKids=TRUE'), 200],
  ['a boolean as a number', () => list('goodWithKids=1'), ...MISTYPED],
  ['five thousand parameters', () => list(Array.from({ length: 5_000 }, () => 'a').join('&')), ...UNKNOWN],
  ['a parameter of an operation without parameters', () => get(`/v1/pets/${petId}?page=1`), ...UNKNOWN],
  ['a list of empty statuses', () => ['GET', '/v1/inventories?status=,'], 400, 'invalid_enum invalid_enum'],
  ['a list with an unknown status', () => ['GET', '/v1/inventories?status=AVAILABLE,x'], 400, 'invalid_enum'],
];

const withType = (type: string | readonly string[]): ReturnType<Case[1]> => post(PET, { 'content-type': type });
const OTHER_TYPE = [415, 'unsupported-media-type'] as const;
const TYPES: readonly Case[] = [
  ...[
    'application/json',
    'APPLICATION/JSON',
    'application/json;',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ].map((type): Case => [type, () => withType(type), 201]),
  ...['application/json ; charset=utf8', 'application/json; profile="x"', 'application/json; charset=utf-8; profile=x'].map(
    (type): Case => [type, () => withType(type), 201],
  ),
  ...[
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; charset=utf-7',
    'application/json; charset=us-ascii',
  ].map((type): Case => [type, () => withType(type), ...OTHER_TYPE]),
  ...['application/json; charset=', 'application/json; charset=utf-8; charset=utf-16', "application/json; charset='utf-16'"].map(
    (type): Case => [type, () => withType(type), ...OTHER_TYPE],
  ),
  ...[
    'application/jsonx',
    'application/json+x',
    'application/vnd.api+json',
    'application/merge-patch+json',
    'application/problem+json',
    'text/json',
  ].map((type): Case => [type, () => withType(type), ...OTHER_TYPE]),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/octet-stream',
  ].map((type): Case => [type, () => withType(type), ...OTHER_TYPE]),
  ...['', ' ', '*/*', 'application/*', 'application', 'json', 'application/json, text/plain', 'application /json', '/'].map(
    (type): Case => [`"${type}"`, () => withType(type), ...OTHER_TYPE],
  ),
  ['none', () => post(PET, { 'content-type': [] }), ...OTHER_TYPE],
  ['x with 15 KiB', () => withType(`application/json; x=${'x'.repeat(15_000)}`), 201],
];

const withCoding = (coding: string, body: string | Uint8Array = PET): ReturnType<Case[1]> => post(body, { 'content-encoding': coding });
const CODINGS: readonly Case[] = [
  ['gzip', () => withCoding('gzip', gzipSync(PET)), ...OTHER_TYPE],
  ['deflate', () => withCoding('deflate', deflateSync(PET)), ...OTHER_TYPE],
  ['br', () => withCoding('br', brotliCompressSync(PET)), ...OTHER_TYPE],
  ['a gzip bomb of 100 MB', () => withCoding('gzip', gzipSync(Buffer.alloc(100_000_000))), ...OTHER_TYPE],
  ['gzip with an uncompressed body', () => withCoding('gzip'), ...OTHER_TYPE],
  ['identity', () => withCoding('identity'), 201],
  ['IDENTITY', () => withCoding('IDENTITY'), 201],
  ['identity, gzip', () => withCoding('identity, gzip'), ...OTHER_TYPE],
  ['nothing', () => withCoding(''), ...OTHER_TYPE],
  ['aws-chunked', () => withCoding('aws-chunked'), ...OTHER_TYPE],
  ['none with a compressed body', () => post(gzipSync(PET)), ...UNREADABLE],
];

const TEXTS: readonly Case[] = [
  ['a byte order mark', () => post(bytes([0xef, 0xbb, 0xbf], PET)), 201],
  ['two byte order marks', () => post(bytes([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf], PET)), ...UNREADABLE],
  ['UTF-16, little-endian', () => post(bytes([0xff, 0xfe], [...Buffer.from(PET, 'utf16le')])), ...UNREADABLE],
  ['UTF-16, big-endian', () => post(bytes([0xfe, 0xff], [...Buffer.from(PET, 'utf16le').swap16()])), ...UNREADABLE],
  ['UTF-16 without a mark', () => post(Buffer.from(PET, 'utf16le')), ...UNREADABLE],
  ['Latin-1', () => post(Buffer.from(withName('"Zoë"'), 'latin1')), ...UNREADABLE],
  ['an overlong encoding of NUL', () => post(bytes('{"name":"', [0xc0, 0x80], '"}')), ...UNREADABLE],
  ['an overlong encoding of a slash', () => post(bytes('{"name":"', [0xe0, 0x80, 0xaf], '"}')), ...UNREADABLE],
  ['a surrogate in three bytes', () => post(bytes('{"name":"', [0xed, 0xa0, 0x80], '"}')), ...UNREADABLE],
  ['a code point above the maximum', () => post(bytes('{"name":"', [0xf4, 0x90, 0x80, 0x80], '"}')), ...UNREADABLE],
  ['an incomplete character', () => post(bytes('{"name":"', [0xe2, 0x82], '"}')), ...UNREADABLE],
  ['only a continuation byte', () => post(bytes('{"name":"', [0x80], '"}')), ...UNREADABLE],
  ['0xFF', () => post(bytes('{"name":"', [0xff], '"}')), ...UNREADABLE],
  ['an unescaped NUL', () => post(withName('"Lu\0na"')), ...UNREADABLE],
  ['a NUL at the end', () => post(`${PET}\0`), ...UNREADABLE],
  ['a line break in a text', () => post(withName('"Lu\nna"')), ...UNREADABLE],
  ['a tab in a text', () => post(withName('"Lu\tna"')), ...UNREADABLE],
  ['an invalid escape', () => post(withName('"Lu\\xna"')), ...UNREADABLE],
  ['half an escape', () => post(withName('"\\u12"')), ...UNREADABLE],
  ['an escaped NUL', () => post(withName('"Lu\\u0000na"')), 422, 'INVALID_FORMAT'],
  ['an escaped line break', () => post(withName('"Lu\\nna"')), 422, 'INVALID_FORMAT'],
  ['an escaped DEL', () => post(withName('"Lu\\u007fna"')), 422, 'INVALID_FORMAT'],
  ['a high surrogate only', () => post(withName('"\\ud800"')), 422, 'INVALID_FORMAT'],
  ['a low surrogate only', () => post(withName('"\\udc00"')), 422, 'INVALID_FORMAT'],
  ['a surrogate pair in the wrong order', () => post(withName('"\\udc00\\ud800"')), 422, 'INVALID_FORMAT'],
  ['a high surrogate only, in a description', () => post(withMember('"description":"\\ud83d"')), 422, 'INVALID_FORMAT'],
  ['a surrogate pair', () => post(withName('"\\ud83d\\ude00"')), 201],
  ['a noncharacter', () => post(withName('"\\uffff"')), 201],
  ['a byte order mark in a text', () => post(withName('"\\ufeffLuna"')), 201],
];

const JSONS: readonly Case[] = [
  ['nothing', () => post(''), ...UNREADABLE],
  ['white space', () => post(' \t\r\n '), ...UNREADABLE],
  ['a non-breaking space', () => post(`\u00a0${PET}`), ...UNREADABLE],
  ['a comment', () => post(`/* a pet */${PET}`), ...UNREADABLE],
  ['a comma at the end', () => post('{"name":"Luna",}'), ...UNREADABLE],
  ['single quotes', () => post("{'name':'Luna'}"), ...UNREADABLE],
  ['no quotes', () => post('{name:"Luna"}'), ...UNREADABLE],
  ['two bodies', () => post(PET + PET), ...UNREADABLE],
  ['a missing end', () => post(PET.slice(0, -1)), ...UNREADABLE],
  ['a form', () => post('name=Luna&species=DOG'), ...UNREADABLE],
  ['XML', () => post('<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'), ...UNREADABLE],
  ['NaN', () => post(withAge('NaN')), ...UNREADABLE],
  ['Infinity', () => post(withAge('-Infinity')), ...UNREADABLE],
  ['undefined', () => post(withAge('undefined')), ...UNREADABLE],
  ['a hexadecimal number', () => post(withAge('0x12')), ...UNREADABLE],
  ['a number with a zero in front', () => post(withAge('018')), ...UNREADABLE],
  ['a number with a plus', () => post(withAge('+18')), ...UNREADABLE],
  ['a number that begins with a point', () => post(withAge('.5')), ...UNREADABLE],
  ['a number that ends with a point', () => post(withAge('18.')), ...UNREADABLE],
  ['18.0', () => post(withAge('18.0')), 201],
  ['18e0', () => post(withAge('18e0')), 201],
  ['-0', () => post(withAge('-0')), 201],
  ['-1', () => post(withAge('-1')), 422, 'too_small'],
  ['1e-400', () => post(withAge('1e-400')), 201],
  ['0.5', () => post(withAge('0.5')), 422, 'invalid_type'],
  ['2^31', () => post(withAge('2147483648')), 422, 'too_big'],
  ['2^53 + 1', () => post(withAge('9007199254740993')), 422, 'too_big'],
  ['1e308', () => post(withAge('1e308')), 422, 'too_big'],
  ['1e400', () => post(withAge('1e400')), 422, 'invalid_type'],
  ['a number of 100,000 digits', () => post(withAge('9'.repeat(100_000))), 422, 'invalid_type'],
  ['a number as a text', () => post(withAge('"18"')), 422, 'invalid_type'],
  ['null', () => post(withAge('null')), 422, 'required'],
  ['null as a body', () => post('null'), 422, 'invalid_type'],
  ['a number as a body', () => post('1e400'), 422, 'invalid_type'],
  ['a text as a body', () => post('"Luna"'), 422, 'invalid_type'],
  ['a list as a body', () => post(`[${PET}]`), 422, 'invalid_type'],
  ['an empty object', () => post('{}'), 422, 'required required required'],
  ['the same key twice, the last one valid', () => post(withMember('"name":"Rex"')), 201],
  ['the same key twice, the last one invalid', () => post(withMember('"name":5')), 422, 'invalid_type'],
  ['__proto__', () => post(withMember('"__proto__":{"status":"ADOPTED"}')), ...UNREADABLE],
  ['__proto__ in escapes', () => post(withMember('"\\u005f_proto\\u005f_":{"status":"ADOPTED"}')), ...UNREADABLE],
  ['__proto__ in an object', () => post(withMember('"medicalInfo":{"__proto__":1}')), ...UNREADABLE],
  ['constructor with a prototype', () => post(withMember('"constructor":{"prototype":{"status":1}}')), ...UNREADABLE],
  ['constructor', () => post(withMember('"constructor":1')), 422, 'unknown_property'],
  ['prototype', () => post(withMember('"prototype":{}')), 422, 'unknown_property'],
  ['toString', () => post(withMember('"toString":1')), 422, 'unknown_property'],
  ['hasOwnProperty', () => post(withMember('"hasOwnProperty":1')), 422, 'unknown_property'],
  ['then', () => post(withMember('"then":1')), 422, 'unknown_property'],
  ['toJSON', () => post(withMember('"toJSON":1')), 422, 'unknown_property'],
  ['an empty key', () => post(withMember('"":1')), 422, 'unknown_property'],
  ['a key with a point', () => post(withMember('"medicalInfo.vaccinated":true')), 422, 'unknown_property'],
  ['a key with a dollar', () => post(withMember('"$where":"1"')), 422, 'unknown_property'],
  ['a key in capitals', () => post(withMember('"BREED":"x"')), 422, 'unknown_property'],
  ['an object instead of a text', () => post(withName('{"$gt":""}')), 422, 'invalid_type'],
  ['a list instead of a text', () => post(withName('["Luna"]')), 422, 'invalid_type'],
  ['a list instead of an object', () => post(withMember('"medicalInfo":[]')), 422, 'invalid_type'],
  ['an object instead of a list', () => post(withMember('"photos":{"length":1}')), 422, 'invalid_type'],
];

const SIZES: readonly Case[] = [
  ['a body of 1 MiB', () => post(padded(MIB)), 201],
  ['a body of 1 MiB and one byte', () => post(padded(MIB + 1)), 413, 'content-too-large'],
  ['a body of 20 MiB', () => post(padded(20 * MIB)), 413, 'content-too-large'],
  [
    '100,000 keys',
    () => post(JSON.stringify(Object.fromEntries(Array.from({ length: 100_000 }, (_, nth) => [`k${nth.toString(36)}`, 1])))),
    422,
  ],
  ['lists 500,000 deep', () => post(nested(500_000)), 422, 'invalid_type'],
  ['lists 100,000 deep instead of a text', () => post(withName(nested(100_000))), 422, 'invalid_type'],
  ['lists 100,000 deep in a list', () => post(withMember(`"photos":[${nested(100_000)}]`)), 422, 'invalid_type'],
  ['lists 100,000 deep in an unknown property', () => post(withMember(`"a":${nested(100_000)}`)), 422, 'unknown_property'],
  ['lists 100,000 deep in an ignored property', () => post(withMember(`"createdAt":${nested(100_000)}`)), 201],
  ['objects 150,000 deep', () => post(nestedObjects(150_000)), 422],
  ['objects 100,000 deep in an object', () => post(withMember(`"medicalInfo":${nestedObjects(100_000)}`)), 422, 'unknown_property'],
  ['objects 100,000 deep after __proto__', () => post(withMember(`"a":${nestedObjects(100_000)},"__proto__":1`)), ...UNREADABLE],
  ['lists that are never closed', () => post('['.repeat(MIB)), ...UNREADABLE],
  ['a list of 500,000 numbers', () => post(`[${'1,'.repeat(500_000)}1]`), 422, 'invalid_type'],
  ['500,000 links', () => post(withMember(`"photos":[${'1,'.repeat(500_000)}1]`)), 422],
  ['101 links', () => post(withMember(`"photos":[${'"https://a.example/b",'.repeat(100)}"https://a.example/b"]`)), 422, 'too_long'],
  ['a link of 2,049 characters', () => post(withMember(`"photos":["https://a.example/${'x'.repeat(2_031)}"]`)), 422, 'INVALID_FORMAT'],
  ['a link of 2,048 characters', () => post(withMember(`"photos":["https://a.example/${'x'.repeat(2_030)}"]`)), 201],
  ['a name of 50 emoji', () => post(withName(`"${'😀'.repeat(50)}"`)), 201],
  ['a name of 51 emoji', () => post(withName(`"${'😀'.repeat(51)}"`)), 422, 'too_long'],
  ['a name of a megabyte', () => post(withName(`"${'x'.repeat(1_000_000)}"`)), 422, 'too_long'],
  ['a name of one letter with 50 accents', () => post(withName(`"a${'\u0301'.repeat(50)}"`)), 422, 'too_long'],
  ['a description of 10,000 emoji', () => post(withMember(`"description":"${'😀'.repeat(10_000)}"`)), 201],
  ['a description of 10,001 letters', () => post(withMember(`"description":"${'x'.repeat(10_001)}"`)), 422, 'too_long'],
  ['a pet of less than 64 KiB', () => post(withMember(`"photos":[${links(31)}]`)), 201],
  ['a pet of more than 64 KiB', () => post(withMember(`"photos":[${links(33)}]`)), 422, 'too_long'],
  ['a pet of 100 links of 2 KiB', () => post(withMember(`"photos":[${links(100)}]`)), 422, 'too_long'],
  [
    'a replacement of more than 64 KiB',
    () => ['PUT', `/v1/pets/${petId}`, { raw: withMember(`"status":"AVAILABLE","photos":[${links(33)}]`) }],
    422,
    'too_long',
  ],
  [
    'a search of 21 species',
    () => ['QUERY', '/v1/pets', { body: { criteria: { species: Array<string>(21).fill('DOG') } } }],
    400,
    'too_long',
  ],
  ['an Idempotency-Key of 255 characters', () => post(PET, { 'idempotency-key': 'k'.repeat(255) }), 201],
  ['an Idempotency-Key of 256 characters', () => post(PET, { 'idempotency-key': 'k'.repeat(256) }), 400, 'INVALID_FORMAT'],
  ['an empty Idempotency-Key', () => post(PET, { 'idempotency-key': '' }), 400, 'INVALID_FORMAT'],
  ['an Idempotency-Key with a space', () => post(PET, { 'idempotency-key': 'a b' }), 400, 'INVALID_FORMAT'],
  ['an Idempotency-Key beyond ASCII', () => post(PET, { 'idempotency-key': 'ké' }), 400, 'INVALID_FORMAT'],
  ['an X-Request-Id of 15 KiB', () => post(PET, { 'x-request-id': 'x'.repeat(15_000) }), 201],
  ['an X-Tenant-ID of 15 KiB', () => post(PET, { 'x-tenant-id': 'x'.repeat(15_000) }), 400, 'INVALID_FORMAT'],
  ['an Authorization of 15 KiB', () => post(PET, { authorization: `Bearer ${'x'.repeat(15_000)}` }), 401, 'unauthorized'],
  [
    'an If-Match of 15 KiB',
    () => ['DELETE', `/v1/pets/${petId}`, { ifMatch: Array.from({ length: 1_300 }, () => '"12345678"').join(',') }],
    412,
    'precondition-failed',
  ],
  ['an Accept of 15 KiB', () => ['GET', '/v1/pets', { headers: { accept: 'text/html,'.repeat(1_500) } }], 200],
];

/** Returns the JSON texts of `count` links of about 2,000 characters each, separated by commas. */
const links = (count: number): string =>
  Array.from({ length: count }, (_, nth) => `"https://a.example/${nth}/${'x'.repeat(1_970)}"`).join(',');

const GROUPS = [
  ['a path with', PATHS],
  ['a query with', QUERIES],
  ['a Content-Type of', TYPES],
  ['a Content-Encoding of', CODINGS],
  ['a body with', TEXTS],
  ['JSON with', JSONS],
  ['sizes:', SIZES],
] as const;

/** Bodies that every operation rejects as unreadable. */
const UNREADABLE_BODIES: readonly (readonly [string, string | Uint8Array])[] = [
  ['an empty body', ''],
  ['no JSON', '{'],
  ['two bodies', '{}{}'],
  ['an invalid number', '{"a":01}'],
  ['__proto__', '{"__proto__":{}}'],
  ['__proto__ with an escape', '{"\\u005f_proto__":1}'],
  ['constructor.prototype in an object', '{"medicalInfo":{"constructor":{"prototype":{}}}}'],
  ['invalid UTF-8', bytes('{"a":"', [0xff], '"}')],
  ['UTF-16', Buffer.from('{}', 'utf16le')],
  ['lists that are never closed', '['.repeat(100_000)],
];
const OPERATIONS_WITH_BODY = [
  ['POST', '/v1/pets'],
  ['PUT', '/v1/pets/{pet}'],
  ['QUERY', '/v1/pets'],
  ['QUERY', '/v1/pets/search'],
  ['POST', '/v1/pets/search'],
  ['POST', '/v1/orders'],
  ['POST', '/v1/orders/{order}/payment'],
  ['POST', '/v1/orders/{order}'],
  ['POST', '/v1/webhooks'],
  ['PUT', '/v1/webhooks/{order}'],
] as const;
/** Names that are stored and returned unchanged. */
const NAMES = [
  'Zoë',
  'Zoe\u0308',
  '子犬',
  'كلب',
  '\u202eanuL',
  '👩‍👩‍👧‍👦',
  '🇫🇷',
  'a\u200bb',
  '<script>alert(1)</script>',
  "Robert'); DROP TABLE pets;--",
  '${7*7}',
  '{{7*7}}',
  '%00',
  '\\u0000',
  '\ufffd',
  '=1+1',
];

const COUNT =
  GROUPS.reduce((count, [, cases]) => count + cases.length, 0) + OPERATIONS_WITH_BODY.length * UNREADABLE_BODIES.length + NAMES.length;

/**
 * Proves contract 2.1, contract 2.2, contract 2.3, contract 2.4, contract 3.1, contract 3.3, contract 3.5,
 * contract 9.1, contract 12.5, contract 26.1 and contract 26.3.
 * Proves rows of contract 42.11 and 42.13.
 */
describe(`encodings and sizes: ${COUNT} cases`, () => {
  it('are 392 cases', () => expect(COUNT).toBe(392));

  describe.each(GROUPS)('%s', (_group, cases) => {
    it.each(cases.map(([name, ...rest]) => [name.slice(0, 80), rest] as const))('%s', async (_, [request, status, problem]) => {
      const response = await shop.requestAsStaff(...request());
      const found = [undefined, kindOf(response)].includes(problem) ? problem : codesOf(response);
      expect({ status: response.status, problem: found }).toEqual({ status, problem });
      if (response.status >= 400) expect(response.text.length).toBeLessThan(32_768);
    });
  });

  describe.each(OPERATIONS_WITH_BODY)('%s %s with an unreadable body:', (method, path) => {
    it.each(UNREADABLE_BODIES.map(([name, raw]) => [name, { raw }] as const))('%s', async (_, { raw }) => {
      const response = await shop.requestAsStaff(method, path.replace('{pet}', petId).replace('{order}', orderId), { raw });
      expect({ status: response.status, kind: kindOf(response) }).toEqual({ status: 400, kind: 'malformed-request' });
    });
  });

  it.each(NAMES)('the name %j is returned unchanged', async (name) => {
    const { id } = await shop.listPet({ name });
    expect((await shop.request<Pet>('GET', `/v1/pets/${id}`)).json.name).toBe(name);
  });
});
