import { hashes, verify } from '@noble/ed25519';
import { sha256 as digestOf, sha512 } from '@noble/hashes/sha2.js';

/**
 * libs/audit/proof/primitives.ts for a browser, where the build puts this module in its place. The Web Crypto API was rejected: it
 * returns promises, and hashing a million events one promise at a time takes minutes.
 */

/** An Ed25519 public key: its 32 bytes. */
export type PublicKey = Uint8Array;

hashes.sha512 = sha512;

const UTF8 = new TextEncoder();

const encoded = (data: string | Uint8Array): Uint8Array => (typeof data === 'string' ? UTF8.encode(data) : data);

export const sha256 = (data: string | Uint8Array): Uint8Array => digestOf(encoded(data));

export const sha256Text = (text: string): string => textOf(sha256(text));

export const startSha256 = (): { readonly update: (bytes: Uint8Array) => void; readonly digest: () => string } => {
  const running = digestOf.create();
  return { update: (bytes) => void running.update(bytes), digest: () => textOf(running.digest()) };
};

const KEY_BYTES = 32;

export const publicKeyOf = (x: string): PublicKey => {
  const key = bytesOf(x);
  if (key.length !== KEY_BYTES) throw new RangeError('the key is not an Ed25519 public key');
  return key;
};

export const keyText = (key: PublicKey): string => textOf(key);

export const isSignatureOf = (key: PublicKey, text: string, signature: string): boolean => {
  try {
    // With zip215 it would accept some encodings of points that RFC 8032 rejects.
    return verify(bytesOf(signature), UTF8.encode(text), key, { zip215: false });
  } catch {
    // It throws for a signature of another length, and for bytes that are no point.
    return false;
  }
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
/** The value of each character of base64url and of base64 by its code. Other characters have the value 255. */
const VALUES = new Uint8Array(256).fill(255);
const END = '='.charCodeAt(0);
for (const [value, character] of [...ALPHABET].entries()) VALUES[character.charCodeAt(0)] = value;
VALUES['+'.charCodeAt(0)] = VALUES['-'.charCodeAt(0)] ?? 255;
VALUES['/'.charCodeAt(0)] = VALUES['_'.charCodeAt(0)] ?? 255;

/** Ignores other characters, ends at a `=`, and reads only the lower byte of each character, as Node does. */
export const bytesOf = (text: string): Uint8Array => {
  const bytes: number[] = [];
  let [bits, count] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index) & 0xff;
    if (code === END) break;
    const value = VALUES[code] ?? 255;
    if (value === 255) continue;
    bits = ((bits << 6) | value) & 0xfff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push((bits >> count) & 0xff);
  }
  return Uint8Array.from(bytes);
};

export const textOf = (bytes: Uint8Array): string => {
  let text = '';
  for (let index = 0; index < bytes.length; index += 3) {
    const [one = 0, two, three] = bytes.subarray(index, index + 3);
    const bits = (one << 16) | ((two ?? 0) << 8) | (three ?? 0);
    text += ALPHABET.charAt(bits >> 18) + ALPHABET.charAt((bits >> 12) & 63);
    if (two !== undefined) text += ALPHABET.charAt((bits >> 6) & 63);
    if (three !== undefined) text += ALPHABET.charAt(bits & 63);
  }
  return text;
};

/** A byte order mark is part of the text, as everywhere in a proof. */
const DECODER = new TextDecoder('utf-8', { ignoreBOM: true });

export const utf8Of = (bytes: Uint8Array, from: number, to: number): string => DECODER.decode(bytes.subarray(from, to));

export const concatenate = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  const both = new Uint8Array(one.length + other.length);
  both.set(one, 0);
  both.set(other, one.length);
  return both;
};
