import type { Decider } from '../../eventsourcing/decider.js';
import type { SecurityEvent } from './security.events.js';

/** The tenant is always null, because one stream has the security events of all tenants. */
export type SecurityState = { readonly tenant: null };

/** Records security events. There are no rules, so the command is the event to record. */
export const securityDecider: Decider<SecurityState, SecurityEvent, SecurityEvent, never> = {
  initial: { tenant: null },
  decide: (command) => [command],
  evolve: (state) => state,
};
