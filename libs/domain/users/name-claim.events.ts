import type { Message } from '../../eventsourcing/message.js';
import type { UserId } from '../ids.js';

/** The two kinds of names that an account claims. A name is unique in its tenant (contract 30.2). */
export type NameKind = 'Username' | 'Email';

type EventOf<Kind extends NameKind> =
  Message<`${Kind}Claimed`, { readonly userId: UserId }> | Message<`${Kind}Freed`, { readonly userId: UserId }>;

export type UsernameEvent = EventOf<'Username'>;
export type EmailEvent = EventOf<'Email'>;

/**
 * The events of one name. The id of the stream is the digest of the name. An account claims a name before it uses the
 * name. The claim counts only while the account uses the name, or is about to use it.
 */
export type NameClaimEvent = UsernameEvent | EmailEvent;
