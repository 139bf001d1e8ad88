export type { KafkaConnection } from './connection.js';
export { openMessages, type KafkaMessages } from './kafka-messages.js';
export { readParkedKeys } from './consuming/parked-key-documents.js';
export { openPublisher } from './publisher.js';
export { readTopics } from './topic-ends.js';
export type { TopicFinding } from './topic-settings.js';
export { addPartitions, checkTopics, prepareTopics } from './topics.js';
