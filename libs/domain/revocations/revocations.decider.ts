import type { Decider } from '../../eventsourcing/decider.js';
import type { Message } from '../../eventsourcing/message.js';
import type { RevocationEvent } from './revocations.events.js';

/** Records which tokens have ended. There are no rules, so the command has the events to record. */
export type RevocationCommand = Message<'EndTokens', { readonly events: readonly RevocationEvent[] }>;

/** The tenant is always null: one stream has the revocations of all tenants, because every process reads all of them. */
export type RevocationsState = { readonly tenant: null };

/** Records which tokens have ended. If an event is recorded twice, the second one has no effect. */
export const revocationsDecider: Decider<RevocationsState, RevocationCommand, RevocationEvent, never> = {
  initial: { tenant: null },
  decide: ({ data }) => data.events,
  evolve: (state) => state,
};
