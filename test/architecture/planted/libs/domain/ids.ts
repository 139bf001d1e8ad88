import type { Message } from '../eventsourcing/message.js';
export type PetId = Message['type'];
