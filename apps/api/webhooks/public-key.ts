import { hash } from 'node:crypto';

/**
 * Builds the response with the public key, in the form of Standard Webhooks 1.0 and as a JSON Web Key
 * (contract 17.7).
 */
export const publicKeyJson = (publicKey: Uint8Array): string => {
  const bytes = Buffer.from(publicKey);
  const key = { crv: 'Ed25519', kty: 'OKP', x: bytes.toString('base64url') };
  // The thumbprint is a hash of the required members in alphabetical order (RFC 7638).
  const kid = hash('sha256', JSON.stringify(key), 'base64url');
  const jwk = { kty: key.kty, crv: key.crv, x: key.x, use: 'sig', alg: 'EdDSA', kid };
  return JSON.stringify({ publicKey: `whpk_${bytes.toString('base64')}`, jwk });
};
