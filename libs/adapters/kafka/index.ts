export type { KafkaConnection } from './connection.js';
export { stopIdlePolling as restWhenIdle } from './idle-connections.js';
export { openMessages, type KafkaMessages } from './kafka-messages.js';
export { openPublisher } from './publisher.js';
export { pointerOf } from './records.js';
export { readTopics } from './topic-ends.js';
export { prepareTopics } from './topics.js';
