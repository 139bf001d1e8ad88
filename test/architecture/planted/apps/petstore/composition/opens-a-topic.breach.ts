import { Kafka } from 'kafkajs';
export const opened = Kafka;
