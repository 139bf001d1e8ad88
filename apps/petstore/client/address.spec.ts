import { describe, expect, it } from '@jest/globals';
import { parseAddress } from './address.js';

const parse = (text: string): string => parseAddress('--url', text, 'http://127.0.0.1:3000');

describe('parseAddress', () => {
  it.each(['http://127.0.0.1:4000/hook', 'https://shop.example.com', 'HTTP://[::1]:3000/'])('accepts %s', (text) =>
    expect(parse(text)).toBe(text),
  );

  it.each(['localhost', 'localhost:4000', '127.0.0.1:4000/hook', 'shop.example.com/hooks?a=b', '[::1]:4000'])(
    'rejects %s, which has no scheme, and suggests the address with a scheme',
    (text) => expect(() => parse(text)).toThrow(`--url ${text} has no scheme; try http://${text}`),
  );

  it.each(['', ' ', '/hook', '//a', 'http://', 'ftp://a/hook', 'javascript:x', 'mailto:ann@example.com', 'two words'])(
    'rejects %j and names an example',
    (text) =>
      expect(() => parse(text)).toThrow(`--url ${JSON.stringify(text)} is not an http or https address; example: http://127.0.0.1:3000`),
  );
});
