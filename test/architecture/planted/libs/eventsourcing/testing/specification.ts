import { expect } from '@jest/globals';
import type { Message } from '../message.js';
export const seen = (message: Message): void => expect(message).toBeDefined();
