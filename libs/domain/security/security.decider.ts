import type { Message } from '../../eventsourcing/message.js';
import type { Personal } from '../../eventsourcing/sealed.js';
import type { Decider } from '../../eventsourcing/decider.js';

/** What a security event is about (contract 34.1). */
export type SecurityKind =
  | 'sign-in'
  | 'sign-in-failed'
  | 'consent'
  | 'grant'
  | 'revocation'
  | 'password-change'
  | 'key-change'
  | 'audit-read'
  | 'request-denied'
  | 'log-altered';

/** What happened, who caused it and from where. It never contains a password, a token or a key. */
export type SecurityEventData = {
  readonly kind: SecurityKind;
  /** The operationId, or the endpoint of the authorization server. For `log-altered` it is `audit`. */
  readonly operation: string;
  /** The subject of the token, or `anonymous`. For `log-altered` it is `service`. */
  readonly actor: Personal;
  /** The IP address of the caller. For `log-altered` it is empty. */
  readonly address: Personal;
  /** The OAuth client. */
  readonly client?: Personal;
  /** The id that the request named: an account, a session, a client or a key. For `log-altered`: where the first fault is. */
  readonly target?: string;
  /** Why an operator did it. It is kept as long as the event, so it must not name persons (contract 34.1). */
  readonly reason?: string;
  /** The status of a denied request. */
  readonly status?: number;
  /**
   * The number of denied requests that the event represents, because not each denied request is recorded. For `log-altered`
   * it is the number of faults.
   */
  readonly count?: number;
};

/**
 * The security events of one day (UTC) are on one stream, such as `security-2026-01-02`. Their personal values are
 * encrypted with a key of the day, and also with the key of the account or applicant that caused the event. The key of the
 * day is destroyed after SECURITY_LOG_RETENTION (contract 34.2).
 */
export type SecurityEvent = Message<'SecurityEventRecorded', SecurityEventData>;

/** The paths of the personal values in the data of a security event. */
export const PERSONAL_IN_SECURITY_EVENTS = ['actor', 'address', 'client'] as const;

/** The tenant is always null, because one stream has the security events of all tenants. */
export type SecurityState = { readonly tenant: null };

/** Records security events. There are no rules, so the command is the event to record. */
export const securityDecider: Decider<SecurityState, SecurityEvent, SecurityEvent, never> = {
  initial: { tenant: null },
  decide: (command) => [command],
  evolve: (state) => state,
};
