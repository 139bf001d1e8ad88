import type { Message } from '../../eventsourcing/message.js';
import type { UserId } from '../ids.js';
import type { Decider } from '../../eventsourcing/decider.js';

/**
 * The tokens that were revoked before they expired, in one stream for each day (UTC), such as `revocations-2026-01-02`.
 * A process that verifies tokens reads today's and yesterday's streams, because no sign-in token lives longer than
 * 24 hours.
 */
export type RevocationEvent =
  /** A person signed out: revokes the tokens of that session. */
  | Message<'SessionEnded', { readonly sessionId: string; readonly userId: UserId }>
  /** Revokes the tokens of all sign-ins that happened before the event with the revision `before` in the account's stream. */
  | Message<'AccountTokensEnded', { readonly userId: UserId; readonly before: number }>;

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
