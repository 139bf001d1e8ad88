import type { Message } from '../../eventsourcing/message.js';
import type { Decider } from '../../eventsourcing/decider.js';

/**
 * The events of a tenant's numbers: the integer ids of its pets, orders and users in the classic variant (contract 39.3).
 * A process reserves a block of numbers, from `first` to `last` inclusive. It gives them to the pets, orders and users that it
 * records.
 */
export type NumbersEvent = Message<'NumbersReserved', { readonly first: number; readonly last: number }>;

/** Reserves the next `count` numbers of a tenant. */
export type NumbersCommand = Message<'ReserveNumbers', { readonly count: number }>;

/** `last` is the highest reserved number. Before the first event, the tenant is null and `last` is 0. */
export type NumbersState = { readonly tenant: string | null; readonly last: number };

/**
 * Decides which numbers a tenant's pets, orders and users get. All reservations of a tenant are on one stream, so two
 * processes cannot reserve the same number. A number is reserved again only if a restored backup lacks its reservation
 * (contract 39.3).
 */
export const numbersDecider: Decider<NumbersState, NumbersCommand, NumbersEvent, never> = {
  initial: { tenant: null, last: 0 },
  decide: ({ data: { count } }, { last }) => [{ type: 'NumbersReserved', data: { first: last + 1, last: last + count } }],
  evolve: (_, { data: { last } }, { tenant }) => ({ tenant, last }),
};
