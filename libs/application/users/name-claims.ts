import type { UserId } from '../../domain/ids.js';
import type { UserNames } from '../../domain/users/user.events.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { Aggregates, LoadedStream } from '../../eventsourcing/handle.js';
import type { CommandContext } from '../../eventsourcing/message.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import { EMAILS, USERNAMES, USERS } from '../aggregates.js';

/** Each name of an account: its field in requests, its digest in events, and the streams of its claims. */
const NAMES = [
  { field: 'username', digest: 'usernameDigest', claims: USERNAMES },
  { field: 'email', digest: 'emailDigest', claims: EMAILS },
] as const;

type Name = (typeof NAMES)[number];

/**
 * Milliseconds after which a claim lapses if its account does not use the name. Before that, the request that
 * claimed it may still be running.
 */
const LAPSES_AFTER = 10_000;

/** Number of attempts after which a change of an account is rejected as `contended`. */
export const MAX_CHANGE_ATTEMPTS = 10;

/** Returns a precondition that accepts only the revision at which the stream was loaded. */
export const isStillAt =
  ({ end }: Pick<LoadedStream<unknown>, 'end'>) =>
  (now: Pick<LoadedStream<unknown>, 'end'>): boolean =>
    now.end.revision === end.revision;

type ClaimRejection = Rejection<'name_taken' | 'contended' | 'precondition_failed'>;

/** The claim of a name: the digest of the name, and the revision of the claim. */
export type HeldName = Pick<Name, 'claims'> & { readonly digest: string; readonly claim: number };

/**
 * The claims of usernames and email addresses. An account claims its names before it uses them and frees them
 * after it has stopped using them. If a process crashes in between, the claim lapses: the next account that
 * wants the name takes it over. So a crash never blocks a name, and a name never has two users.
 */
export class NameClaims {
  constructor(private readonly parts: { readonly aggregates: Aggregates; readonly clock: Clock }) {}

  /**
   * Claims the names that differ from `current`. Returns null, or the rejection with the field of the name
   * that another account uses. In that case no new claim remains.
   *
   * The caller must have loaded the account before the call, and must append to it only at the revision that
   * it loaded. Otherwise its claim may have lapsed in the meantime.
   */
  async claim(userId: UserId, wanted: UserNames, current: UserNames | null, context: CommandContext): Promise<ClaimRejection | null> {
    const claimed: HeldName[] = [];
    for (const name of NAMES.filter(({ digest }) => wanted[digest] !== current?.[digest])) {
      const outcome = await this.claimOne(name, userId, wanted[name.digest], context);
      if (!isRejection(outcome)) {
        claimed.push(outcome);
        continue;
      }
      await this.free(userId, claimed, context);
      return outcome.rejected === 'name_taken' ? rejected('name_taken', [name.field]) : outcome;
    }
    return null;
  }

  /**
   * Returns the current claims of the names of an account that it will no longer use. Call it before the
   * change is appended, and `free` afterwards.
   */
  async held(names: UserNames, next: UserNames | null): Promise<readonly HeldName[]> {
    const former = NAMES.filter(({ digest }) => names[digest] !== next?.[digest]);
    return Promise.all(
      former.map(async ({ claims, digest }) => {
        const { state } = await this.parts.aggregates.load(claims, names[digest]);
        return { claims, digest: names[digest], claim: state.claim };
      }),
    );
  }

  /** Frees names, unless the account has claimed them again. */
  async free(userId: UserId, held: readonly HeldName[], context: CommandContext): Promise<void> {
    for (const { claims, digest, claim } of held)
      await this.parts.aggregates.handle(claims, digest, { type: 'FreeName', data: { userId, claim } }, context);
  }

  /** Returns the account that uses this username, or null. Reads as many streams for a name that nobody uses. */
  async userOf(usernameDigest: string): Promise<UserId | null> {
    const { holder } = (await this.parts.aggregates.load(USERNAMES, usernameDigest)).state;
    const { state } = await this.parts.aggregates.load(USERS, holder ?? usernameDigest);
    return state.kind === 'registered' && state.names.usernameDigest === usernameDigest ? holder : null;
  }

  private async claimOne(
    { claims, digest: member }: Name,
    userId: UserId,
    digest: string,
    context: CommandContext,
  ): Promise<HeldName | ClaimRejection> {
    const { aggregates } = this.parts;
    const command = { type: 'ClaimName', data: { userId } } as const;
    let outcome = await aggregates.handle(claims, digest, command, context);
    if (isRejection(outcome) && outcome.rejected === 'name_taken') {
      const lapsedHolder = await this.lapse({ claims, digest: member }, digest, context);
      if (lapsedHolder === null) return outcome;
      outcome = await aggregates.handle(claims, digest, { ...command, data: { userId, lapsedHolder } }, context);
    }
    return isRejection(outcome) ? outcome : { claims, digest, claim: outcome.state.claim };
  }

  /**
   * Returns the holder of a name if its claim has lapsed, or null. The event that it appends to the holder's
   * account makes the append of the request that claimed the name fail, in case it is still running.
   */
  private async lapse(
    { claims, digest: member }: Pick<Name, 'claims' | 'digest'>,
    digest: string,
    context: CommandContext,
  ): Promise<UserId | null> {
    const { aggregates, clock } = this.parts;
    const { holder, since } = (await aggregates.load(claims, digest)).state;
    if (holder === null || clock.now().getTime() - Date.parse(since) < LAPSES_AFTER) return null;
    const user = await aggregates.load(USERS, holder);
    if (user.state.kind === 'registered' && user.state.names[member] === digest) return null;
    const lapsed = await aggregates.handle(USERS, holder, { type: 'LapseUserClaims', data: { userId: holder } }, context, {
      loaded: user,
      precondition: isStillAt(user),
    });
    return isRejection(lapsed) ? null : holder;
  }
}
