import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as node from '../../../libs/audit/proof/primitives.js';
import * as browser from './primitives.js';

const bytes = (constraints?: fc.IntArrayConstraints) => fc.uint8Array(constraints);
const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const base64 = fc.string({ unit: fc.constantFrom(...'ABCwxyz0189-_+/= \n*äAB09'), maxLength: 100 });
const plain = (result: Uint8Array): readonly number[] => [...result];

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const x = String(publicKey.export({ format: 'jwk' }).x);
const signed = (text: string): Buffer => sign(null, Buffer.from(text), privateKey);

/** Both verify the same: a signature that one of them accepts, and the other does not, would be a different verdict. */
const verdicts = (key: string, text: string, signature: string): readonly boolean[] => {
  const [ofNode, ofBrowser] = [node, browser].map(({ publicKeyOf, isSignatureOf }) => {
    const found: unknown = publicKeyOf(key);
    return (isSignatureOf as (key: unknown, text: string, signature: string) => boolean)(found, text, signature);
  });
  expect([key, text, signature, ofBrowser]).toEqual([key, text, signature, ofNode]);
  return [ofBrowser ?? false];
};

describe('the primitives of the browser and of Node', () => {
  it('are the same functions', () => expect(Object.keys(browser).sort()).toEqual(Object.keys(node).sort()));

  it('make the same digests of texts and of bytes, also in parts', () => {
    fc.assert(
      fc.property(anyText, bytes(), bytes({ maxLength: 300 }), (text, one, other) => {
        expect(plain(browser.sha256(text))).toEqual(plain(node.sha256(text)));
        expect(plain(browser.sha256(one))).toEqual(plain(node.sha256(one)));
        expect(browser.sha256Text(text)).toBe(node.sha256Text(text));
        const running = [browser.startSha256(), node.startSha256()].map(({ update, digest }) => {
          for (const part of [one, other, one]) update(part);
          return digest();
        });
        expect(running[0]).toBe(running[1]);
      }),
    );
  });

  it('read and write base64url the same, also if it is malformed', () => {
    fc.assert(
      fc.property(bytes(), base64, anyText, (given, malformed, text) => {
        expect(browser.textOf(given)).toBe(node.textOf(given));
        for (const one of [node.textOf(given), malformed, text])
          expect([one, plain(browser.bytesOf(one))]).toEqual([one, plain(node.bytesOf(one))]);
      }),
      { numRuns: 1_000 },
    );
  });

  it('read UTF-8 the same, also if it is malformed, and join bytes', () => {
    fc.assert(
      fc.property(bytes(), anyText, fc.nat(20), fc.nat(40), (given, text, from, length) => {
        for (const one of [given, Uint8Array.from(Buffer.from(`\ufeff${text}`))])
          expect(browser.utf8Of(one, from, from + length)).toBe(node.utf8Of(one, from, from + length));
        const joined = browser.concatenate(given, given.subarray(0, from));
        expect(plain(joined)).toEqual(plain(node.concatenate(given, given.subarray(0, from))));
      }),
    );
  });

  it('accept a genuine signature, and reject it for another text', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, other) => {
        const signature = node.textOf(signed(text));
        expect(verdicts(x, text, signature)).toEqual([true]);
        expect(verdicts(x, other, signature)).toEqual([Buffer.from(other).equals(Buffer.from(text))]);
      }),
      { numRuns: 30 },
    );
  });

  it('reject the same signatures: changed, cut, padded, of another order or no point', () => {
    const order = 0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3edn;
    const genuine = signed('text');
    const scalar = BigInt(`0x${Buffer.from(genuine.subarray(32)).reverse().toString('hex')}`) + order;
    const malleable = Buffer.concat([genuine.subarray(0, 32), Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()]);
    expect(verdicts(x, 'text', node.textOf(malleable))).toEqual([false]);
    for (const one of ['', 'A', `${node.textOf(genuine)}AA`, node.textOf(genuine.subarray(0, 63)), 'A'.repeat(86), '_'.repeat(86)])
      expect(verdicts(x, 'text', one)).toEqual([false]);
    // Both ignore what is no character of base64url, as in `readManifest`, which compares the text itself.
    expect(verdicts(x, 'text', `${node.textOf(genuine)}==`)).toEqual([true]);
    fc.assert(
      fc.property(fc.nat(63), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = Buffer.from(genuine);
        changed[at] = (changed[at] ?? 0) ^ change;
        expect(verdicts(x, 'text', node.textOf(changed))).toEqual([false]);
      }),
      { numRuns: 30 },
    );
  });

  it('read the same public keys, and reject texts of other lengths', () => {
    expect(browser.keyText(browser.publicKeyOf(x))).toBe(x);
    fc.assert(
      fc.property(bytes({ maxLength: 40 }), anyText, (key, signature) => {
        const text = node.textOf(key);
        const [ofNode, ofBrowser] = [node, browser].map(({ publicKeyOf, keyText }) => {
          try {
            return (keyText as (key: unknown) => string)(publicKeyOf(text));
          } catch (error) {
            return String(error);
          }
        });
        expect(ofBrowser).toBe(ofNode);
        if (key.length === 32) expect(verdicts(text, 'text', signature)).toEqual([false]);
      }),
    );
  });
});
