import { randomBytes } from 'node:crypto';
import type { Message } from '../../eventsourcing/message.js';
export const gateway = (message: Message): unknown => [message, randomBytes(1)];
