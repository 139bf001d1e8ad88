import type { Message } from '../../eventsourcing/message.js';
import type { PetId } from '../ids.js';
export type PetEvent = Message & { readonly id: PetId };
