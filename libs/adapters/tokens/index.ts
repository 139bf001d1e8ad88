export { openSigningKeys, type TokenKeys } from './signing-keys.js';
export { createTokens, type Tokens } from './tokens.js';
export { openOutsideIssuer } from './outside-issuer/outside-issuer.js';
