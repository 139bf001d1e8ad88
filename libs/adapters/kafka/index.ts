export type { KafkaConnection } from './connection.js';
export { stopIdlePolling as restWhenIdle } from './idle-connections.js';
export type { ReadWaiting } from './consuming/parked-key-documents.js';
export { openMessages, type KafkaMessages, type KafkaMessagesOptions } from './kafka-messages.js';
export { openPublisher } from './publisher.js';
export { pointerOf } from './records.js';
export { readTopics } from './topic-ends.js';
export { prepareTopics, type TopicShape } from './topics.js';
