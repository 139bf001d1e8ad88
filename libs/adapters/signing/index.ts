export { standardSigner } from './standard-signer.js';
