import type { Message } from '../eventsourcing/message.js';
export type Anything = Message;
