import { createHash } from 'node:crypto';
import type { Message } from '../eventsourcing/message.js';
export type Reacted = Message;
export const digest = createHash;
