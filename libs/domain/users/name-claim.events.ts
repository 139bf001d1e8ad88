import type { Message } from '../../eventsourcing/message.js';
import type { UserId } from '../ids.js';

/** The two kinds of names that an account claims. A name is unique in its tenant (contract 30.2). */
export type NameKind = 'Username' | 'Email';

type EventOf<Kind extends NameKind> =
  | Message<`${Kind}Claimed`, { readonly userId: UserId }>
  /** `claims` are the revisions of the claims that end. It is null in events of schema version 1: then all of them end. */
  | Message<`${Kind}Freed`, { readonly userId: UserId; readonly claims: readonly number[] | null }>;

export type UsernameEvent = EventOf<'Username'>;
export type EmailEvent = EventOf<'Email'>;

/**
 * The events of one name. The id of the stream is the digest of the name. An account claims a name before it uses the
 * name. The claim counts only while the account uses the name, or is about to use it. Each request of the account has its own
 * claim, so a request that fails can end its claim without ending the claim of another request.
 */
export type NameClaimEvent = UsernameEvent | EmailEvent;
