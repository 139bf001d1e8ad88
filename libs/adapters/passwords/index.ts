export { argon2Hasher } from './argon2-hasher.js';
