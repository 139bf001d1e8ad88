import type { UserId } from '../../../domain/ids.js';
import type { NameClaimState } from '../../../domain/users/name-claim.decider.js';
import type { RegisteredUser, UserState } from '../../../domain/users/user.decider.js';
import type { UserNames } from '../../../domain/users/user.events.js';
import { isRejection, rejected, type Rejection } from '../../../eventsourcing/decider.js';
import type { Aggregates } from '../../../eventsourcing/aggregates.js';
import type { LoadedStream } from '../../../eventsourcing/streams/aggregate.js';
import type { CommandContext } from '../../../eventsourcing/message.js';
import type { Clock } from '../../../eventsourcing/ports/clock.port.js';
import { EMAILS, USERNAMES, USERS } from '../../aggregates.js';
import { isStillAt } from '../../precondition.js';

/** Each name of an account: its field in requests, its digest in events, and the streams of its claims. */
const NAMES = [
  { field: 'username', digest: 'usernameDigest', claims: USERNAMES },
  { field: 'email', digest: 'emailDigest', claims: EMAILS },
] as const;

type Name = (typeof NAMES)[number];

/** Returns the names that differ between two accounts, or between two states of an account. */
const differing = (one: UserNames, other: UserNames | null): readonly Name[] =>
  NAMES.filter(({ digest }) => one[digest] !== other?.[digest]);

/**
 * Milliseconds after which a claim lapses if the account of the claim does not use the name. Within this time, the request
 * that claimed the name may still be running. If the time of a claim is later than now, a clock is wrong, and the claim lapses, too. So no
 * claim of a clock that was ahead holds a name for days. A claim that lapses too early does no harm: see `lapse`.
 */
export const LAPSES_AFTER = 10_000;

type ClaimRejection = Rejection<'name_taken' | 'contended' | 'precondition_failed'>;

/** Claims of a name: the digest of the name, and the revisions of the claims. */
export type HeldName = Pick<Name, 'claims'> & { readonly digest: string; readonly revisions: readonly number[] };

/** An account, and the revision of its stream at which the account was read. */
export type FoundAccount = { readonly userId: UserId; readonly account: RegisteredUser; readonly revision: number };

/**
 * The claims of usernames and email addresses. An account claims its names before it uses them, and frees each name after it
 * has stopped using the name. So a name never has two users. Each request has its own claims, and a request that fails frees
 * exactly these. After a crash, an account may have a claim on a name that it does not use. Such a claim lapses: another
 * account can then claim the name.
 */
export class NameClaims {
  constructor(private readonly dependencies: { readonly aggregates: Aggregates; readonly clock: Clock }) {}

  /**
   * Claims the names that differ from `current`. Returns the claims, or the rejection with the fields of all names that other
   * accounts use. After a rejection, no claim of this call remains.
   *
   * The caller must load the account before the call, and must append to the account only at the loaded revision. An append
   * at another revision could succeed although the claim has lapsed since the call. If the account does not change in the end,
   * the caller must free the claims.
   */
  async claim(
    userId: UserId,
    wanted: UserNames,
    current: UserNames | null,
    context: CommandContext,
    isReserved = false,
  ): Promise<readonly HeldName[] | ClaimRejection> {
    const owner = await this.taken(userId, wanted, current, isReserved);
    if (owner.length > 0) return rejected('name_taken', owner);
    const claimed: HeldName[] = [];
    const taken: string[] = [];
    const refused: ClaimRejection[] = [];
    for (const name of differing(wanted, current)) {
      const outcome = await this.claimOne(name, userId, wanted[name.digest], context);
      if (!isRejection(outcome)) claimed.push(outcome);
      else if (outcome.rejected === 'name_taken') taken.push(name.field);
      else refused.push(outcome);
    }
    const rejection = taken.length > 0 ? rejected('name_taken', taken) : refused[0];
    if (!rejection) return claimed;
    await this.free(userId, claimed, context);
    return rejection;
  }

  /**
   * Returns the fields of the names that differ from `current` and that the account cannot have: another account has claimed
   * them. With `isReserved`, it cannot have the username either. A request with such a name claims none, so that it takes no free
   * name from others.
   */
  async taken(userId: UserId, wanted: UserNames, current: UserNames | null, isReserved = false): Promise<readonly string[]> {
    const fields: string[] = [];
    for (const { field, digest, claims } of differing(wanted, current)) {
      const { state } = await this.dependencies.aggregates.load(claims, wanted[digest]);
      const isOfOther = state.holder !== null && state.holder !== userId;
      const isTaken =
        (isReserved && field === 'username') || (isOfOther && (await this.lapsedHolder(digest, wanted[digest], state)) === null);
      if (isTaken) fields.push(field);
    }
    return fields;
  }

  /**
   * Returns the claims of the names that an account stops using: those that differ from `next`. If `next` is null, returns the
   * claims of all names. Call this before the change of the account is appended, and call `free` after the append.
   */
  async held(names: UserNames, next: UserNames | null): Promise<readonly HeldName[]> {
    return Promise.all(
      differing(names, next).map(async ({ claims, digest }) => {
        const { state } = await this.dependencies.aggregates.load(claims, names[digest]);
        return { claims, digest: names[digest], revisions: state.claims };
      }),
    );
  }

  /** Ends claims of an account. A name stays claimed while the account has other claims on it. */
  async free(userId: UserId, held: readonly HeldName[], context: CommandContext): Promise<void> {
    for (const { claims, digest, revisions } of held)
      await this.dependencies.aggregates.handle(claims, digest, { type: 'FreeName', data: { userId, claims: revisions } }, context);
  }

  /** Returns the account that uses this username, or null. Both cases read equally many streams, so they take the same time. */
  async accountOf(usernameDigest: string): Promise<FoundAccount | null> {
    const { holder } = (await this.dependencies.aggregates.load(USERNAMES, usernameDigest)).state;
    const { state, end } = await this.dependencies.aggregates.load(USERS, holder ?? usernameDigest);
    if (holder === null || end.revision === 'none' || state.kind !== 'registered') return null;
    return state.names.usernameDigest === usernameDigest ? { userId: holder, account: state, revision: end.revision } : null;
  }

  /** Returns the account that uses this username or this email address, or null. */
  async holderOf(field: 'username' | 'email', names: UserNames): Promise<UserId | null> {
    const name = field === 'username' ? NAMES[0] : NAMES[1];
    const { aggregates } = this.dependencies;
    const { holder } = (await aggregates.load(name.claims, names[name.digest])).state;
    const { state } = holder === null ? { state: null } : await aggregates.load(USERS, holder);
    return state?.kind === 'registered' && state.names[name.digest] === names[name.digest] ? holder : null;
  }

  /** Claims one name. If another account has claimed it and that claim has lapsed, takes the name over. */
  private async claimOne(
    { claims, digest: member }: Name,
    userId: UserId,
    digest: string,
    context: CommandContext,
  ): Promise<HeldName | ClaimRejection> {
    const { aggregates } = this.dependencies;
    const command = { type: 'ClaimName', data: { userId } } as const;
    let outcome = await aggregates.handle(claims, digest, command, context);
    if (isRejection(outcome) && outcome.rejected === 'name_taken') {
      const lapsed = await this.lapse({ claims, digest: member }, digest, context);
      if (lapsed === null) return outcome;
      outcome = await aggregates.handle(claims, digest, { ...command, data: { userId, lapsed } }, context);
    }
    return isRejection(outcome) ? outcome : { claims, digest, revisions: outcome.state.claims.slice(-1) };
  }

  /**
   * If the claims of a name have lapsed, returns their revisions. Otherwise, returns null. Before it returns revisions,
   * appends an event to the holder's account, which changes the account's revision. So if the request that claimed the name is
   * still running, its append fails.
   */
  private async lapse(
    { claims, digest: member }: Pick<Name, 'claims' | 'digest'>,
    digest: string,
    context: CommandContext,
  ): Promise<readonly number[] | null> {
    const { aggregates } = this.dependencies;
    const { state } = await aggregates.load(claims, digest);
    const user = await this.lapsedHolder(member, digest, state);
    if (!user) return null;
    const lapsed = await aggregates.handle(USERS, user.userId, { type: 'LapseUserClaims', data: { userId: user.userId } }, context, {
      loaded: user,
      precondition: isStillAt(user),
    });
    return isRejection(lapsed) ? null : state.claims;
  }

  /** Returns the account that holds a name whose claims can lapse: they are old, and the account does not use the name. */
  private async lapsedHolder(
    member: Name['digest'],
    digest: string,
    { holder, since }: NameClaimState,
  ): Promise<(LoadedStream<UserState> & { readonly userId: UserId }) | null> {
    if (holder === null || Math.abs(this.dependencies.clock.now().getTime() - Date.parse(since)) < LAPSES_AFTER) return null;
    const user = await this.dependencies.aggregates.load(USERS, holder);
    const isUsed = user.state.kind === 'registered' && user.state.names[member] === digest;
    return isUsed ? null : { ...user, userId: holder };
  }
}
