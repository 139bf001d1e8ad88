export { createTokens, type Tokens } from './tokens.js';
