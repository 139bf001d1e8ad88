import { rejected, type Decider, type Rejection } from '../../eventsourcing/decider.js';
import { unreachable, type EventMeta, type Message } from '../../eventsourcing/message.js';
import type { UserId } from '../ids.js';
import type { NameClaimEvent, NameKind } from './name-claim.events.js';

export type NameClaimCommand =
  /** If `lapsedHolder` holds the name, the name may still be claimed, because the claim of that account has lapsed. */
  | Message<'ClaimName', { readonly userId: UserId; readonly lapsedHolder?: UserId }>
  /** Frees the name if `claim` is the revision of the latest claim. Changes nothing if a later claim was recorded. */
  | Message<'FreeName', { readonly userId: UserId; readonly claim: number }>;

export type NameClaimState = {
  /** Null before the first event. */
  readonly tenant: string | null;
  /** The account that claimed the name last. Null while the name is free. */
  readonly holder: UserId | null;
  /** The revision of the latest claim, -1 before the first one. */
  readonly claim: number;
  /** The time of the latest claim: ISO 8601. Empty before the first one. */
  readonly since: string;
};

/** Another account holds the name. */
export type NameClaimRejection = 'name_taken';

type Decision = readonly NameClaimEvent[] | Rejection<NameClaimRejection>;

const nameClaimDecider = (kind: NameKind): Decider<NameClaimState, NameClaimCommand, NameClaimEvent, NameClaimRejection> => {
  const decide = (command: NameClaimCommand, { holder, claim }: NameClaimState): Decision => {
    const { userId } = command.data;
    switch (command.type) {
      // If the holder claims its name again, a new claim is recorded. A `FreeName` of the former claim then changes nothing.
      case 'ClaimName':
        return holder === null || holder === userId || holder === command.data.lapsedHolder
          ? [{ type: `${kind}Claimed`, data: { userId } }]
          : rejected('name_taken');
      case 'FreeName':
        return holder === userId && claim === command.data.claim ? [{ type: `${kind}Freed`, data: { userId } }] : [];
      default:
        return unreachable(command);
    }
  };

  const evolve = (state: NameClaimState, { type, data }: NameClaimEvent, { tenant, time, revision }: EventMeta): NameClaimState =>
    type === `${kind}Freed` ? { ...state, tenant, holder: null } : { tenant, holder: data.userId, claim: revision, since: time };

  return { initial: { tenant: null, holder: null, claim: -1, since: '' }, decide, evolve };
};

/** Decides which account may use a username. All claims of a username are on one stream. */
export const usernameDecider = nameClaimDecider('Username');
/** Decides which account may use an email address. All claims of an address are on one stream. */
export const emailDecider = nameClaimDecider('Email');
