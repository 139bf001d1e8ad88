import { unreachable, type Message, type EventMeta } from '../../eventsourcing/message.js';
import type { UserId } from '../ids.js';
import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';

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

export type NameClaimCommand =
  /** `lapsed`: the revisions of claims that have lapsed. They do not prevent this claim. */
  | Message<'ClaimName', { readonly userId: UserId; readonly lapsed?: readonly number[] }>
  /** Ends the claims with these revisions. The name is free when the account has no other claim. */
  | Message<'FreeName', { readonly userId: UserId; readonly claims: readonly number[] }>;

export type NameClaimState = {
  /** Null before the first event. */
  readonly tenant: string | null;
  /** The account that has claimed the name. Null while the name is free. */
  readonly holder: UserId | null;
  /** The revisions of the holder's claims. */
  readonly claims: readonly number[];
  /** The time of the latest claim: ISO 8601. Empty before the first one. */
  readonly since: string;
};

/** Another account holds the name. */
export type NameClaimRejection = 'name_taken';

type Decision = readonly NameClaimEvent[] | Rejection<NameClaimRejection>;

const nameClaimDecider = (kind: NameKind): Decider<NameClaimState, NameClaimCommand, NameClaimEvent, NameClaimRejection> => {
  const decide = (command: NameClaimCommand, { holder, claims }: NameClaimState): Decision => {
    const { userId } = command.data;
    switch (command.type) {
      case 'ClaimName': {
        // A holder whose claim has lapsed may have claimed the name again since.
        const { lapsed = [] } = command.data;
        const isLapsed = claims.every((claim) => lapsed.includes(claim));
        return holder === null || holder === userId || isLapsed ? [{ type: `${kind}Claimed`, data: { userId } }] : rejected('name_taken');
      }
      case 'FreeName': {
        const ended = holder === userId ? claims.filter((claim) => command.data.claims.includes(claim)) : [];
        return ended.length > 0 ? [{ type: `${kind}Freed`, data: { userId, claims: ended } }] : [];
      }
      default:
        return unreachable(command);
    }
  };

  const evolve = (state: NameClaimState, { type, data }: NameClaimEvent, { tenant, time, revision }: EventMeta): NameClaimState => {
    const earlier = state.holder === data.userId ? state.claims : [];
    if (type === `${kind}Claimed`) return { tenant, holder: data.userId, claims: [...earlier, revision], since: time };
    const ended = 'claims' in data ? data.claims : null;
    const claims = ended === null ? [] : earlier.filter((claim) => !ended.includes(claim));
    return { ...state, tenant, holder: claims.length > 0 ? state.holder : null, claims };
  };

  return { initial: { tenant: null, holder: null, claims: [], since: '' }, decide, evolve };
};

/** Decides which account may use a username. All claims of a username are on one stream. */
export const usernameDecider = nameClaimDecider('Username');
/** Decides which account may use an email address. All claims of an address are on one stream. */
export const emailDecider = nameClaimDecider('Email');
