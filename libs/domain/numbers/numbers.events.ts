import type { Message } from '../../eventsourcing/message.js';

/**
 * The events of a tenant's numbers: the integer ids of its pets, orders and users in the classic variant (contract 39.3).
 * A process reserves a block of numbers, from `first` to `last` inclusive. It gives them to the pets, orders and users that it
 * records.
 */
export type NumbersEvent = Message<'NumbersReserved', { readonly first: number; readonly last: number }>;
