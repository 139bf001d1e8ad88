import { hash } from 'node:crypto';

/** The key as receivers of callbacks take it: as Standard Webhooks 1.0 writes one, and as a JSON Web Key. */
export const publicKeyJson = (publicKey: Uint8Array): string => {
  const bytes = Buffer.from(publicKey);
  const key = { crv: 'Ed25519', kty: 'OKP', x: bytes.toString('base64url') };
  // RFC 7638: the thumbprint is made over the required members, in alphabetical order.
  const kid = hash('sha256', JSON.stringify(key), 'base64url');
  const jwk = { kty: key.kty, crv: key.crv, x: key.x, use: 'sig', alg: 'EdDSA', kid };
  return JSON.stringify({ publicKey: `whpk_${bytes.toString('base64')}`, jwk });
};
