export { WrongWrappingKey } from './keys/key-vault.js';
export { openMongo, type Mongo } from './open-mongo.js';
