export { WrongWrappingKey } from './keys/seal.js';
export { inspectMongo } from './inspect-mongo.js';
export { openMongo, type Mongo } from './open-mongo.js';
export type { ReencryptOptions, ReencryptResult } from './keys/reencrypt.js';
