import type { Message } from '../../eventsourcing/message.js';

/** Reserves the next `count` numbers of a tenant. */
export type NumbersCommand = Message<'ReserveNumbers', { readonly count: number }>;
