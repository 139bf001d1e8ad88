import type { Message } from '../../eventsourcing/message.js';
import type { UserId } from '../ids.js';

/** What an account claims: each is unique in its tenant (contract 30.2). */
export type NameKind = 'Username' | 'Email';

type EventOf<Kind extends NameKind> =
  Message<`${Kind}Claimed`, { readonly userId: UserId }> | Message<`${Kind}Freed`, { readonly userId: UserId }>;

export type UsernameEvent = EventOf<'Username'>;
export type EmailEvent = EventOf<'Email'>;

/**
 * The events of the stream of one name, whose id is the digest of the name. An account claims a name before
 * it uses it. A claim counts only while its account uses the name, or is about to.
 */
export type NameClaimEvent = UsernameEvent | EmailEvent;
