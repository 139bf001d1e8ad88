export { ShapeChanged } from './documents/versions/version-lifecycle.js';
export { WrongWrappingKey } from './keys/key-vault.js';
export { openMongo, type Mongo, type MongoOptions } from './open-mongo.js';
