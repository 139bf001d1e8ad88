export type { KafkaConnection } from './connection.js';
export { openMessages } from './kafka-messages.js';
export { openPublisher } from './publisher.js';
export { readTopics } from './topic-ends.js';
export { prepareTopics } from './topics.js';
