import { canonicalJson } from '../../eventsourcing/canonical-json.js';
import { keyText, publicKeyOf, sha256Text, type PublicKey } from '../proof/primitives.js';
import type { PublicKeys } from '../proof/signatures.js';

/** A public key as a JWK (RFC 8037). */
export type PublicJwk = { readonly kty: 'OKP'; readonly crv: 'Ed25519'; readonly x: string; readonly kid: string };

/** Returns the thumbprint (RFC 7638) of an Ed25519 public key. */
export const keyIdOf = (key: PublicKey): string => sha256Text(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x: keyText(key) }));

/** Returns public keys as JWKs, in the same order. */
export const jwksOf = (keys: PublicKeys): readonly PublicJwk[] =>
  [...keys].map(([kid, key]) => ({ kty: 'OKP', crv: 'Ed25519', x: keyText(key), kid }));

/** Reads public keys from JWKs. Throws RangeError if one of them is not an Ed25519 key. */
export const publicKeysOf = (jwks: readonly PublicJwk[]): PublicKeys =>
  byId(
    jwks.map(({ crv, x }) => {
      if (crv !== 'Ed25519' || typeof x !== 'string') throw new RangeError('the key is not an Ed25519 public key');
      return publicKeyOf(x);
    }),
  );

const PEM_BLOCK = /-----BEGIN PUBLIC KEY-----([^-]+)-----END PUBLIC KEY-----/g;
/** The bytes before the 32 bytes of an Ed25519 public key in PEM (RFC 8410), base64. The key begins with a character of its own. */
const PEM_PREFIX = 'MCowBQYDK2VwAyEA';

/** Reads public keys in PEM. Throws RangeError if one of them is not an Ed25519 key. */
export const publicKeysInPem = (text: string): PublicKeys =>
  byId(
    [...text.matchAll(PEM_BLOCK)].map(([, block = '']) => {
      const base64 = block.replaceAll(/\s/g, '');
      if (!base64.startsWith(PEM_PREFIX)) throw new RangeError('the key is not an Ed25519 public key');
      return publicKeyOf(base64.slice(PEM_PREFIX.length));
    }),
  );

const byId = (keys: readonly PublicKey[]): PublicKeys => new Map(keys.map((key) => [keyIdOf(key), key]));
