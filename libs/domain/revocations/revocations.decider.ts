import type { Decider } from '../../eventsourcing/decider.js';
import type { RevocationEvent } from './revocations.events.js';

/** Revocations have no rules, so the command is the event to record. */
export type RevocationCommand = RevocationEvent;

/** The tenant is always null: one stream has the revocations of all tenants, because every process reads all of them. */
export type RevocationsState = { readonly tenant: null };

/** Records which tokens have ended. If an event is recorded twice, the second one has no effect. */
export const revocationsDecider: Decider<RevocationsState, RevocationCommand, RevocationEvent, never> = {
  initial: { tenant: null },
  decide: (command) => [command],
  evolve: (state) => state,
};
