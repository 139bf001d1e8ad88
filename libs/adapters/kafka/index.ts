export type { KafkaConnection } from './connection.js';
export { openMessages } from './kafka-messages.js';
export { openPublisher } from './publisher.js';
export { readTopics } from './topic-ends.js';
export type { TopicFinding } from './topic-settings.js';
export { checkTopics, prepareTopics } from './topics.js';
