import type { Message } from '../../libs/eventsourcing/message.js';
export type Anything = Message;
