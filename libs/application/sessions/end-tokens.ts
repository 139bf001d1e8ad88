import { dayOf } from '../../eventsourcing/day.js';
import type { UserId } from '../../domain/ids.js';
import type { RevocationEvent } from '../../domain/revocations/revocations.decider.js';
import { endsTokens } from '../../domain/users/user.events.js';
import type { Aggregates } from '../../eventsourcing/aggregates.js';
import { isRejection } from '../../eventsourcing/decider.js';
import type { AppendedEvent } from '../../eventsourcing/event-codec.js';
import { commandContextOf, type CommandContext } from '../../eventsourcing/message.js';
import type { Clock } from '../../eventsourcing/ports/clock.port.js';
import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { REVOCATIONS_OF_DAY } from '../aggregates.js';
import type { Revocations } from './revocations.js';
import { Sessions, type Session } from './sessions.js';

/** The ports of the functions that end tokens. */
export type EndingPorts = {
  readonly aggregates: Pick<Aggregates, 'handle'>;
  readonly documents: Documents;
  readonly clock: Clock;
  readonly revocations: Revocations;
};

/**
 * Ends one session. As soon as the call resolves, this process rejects the session's tokens. The other processes reject them
 * within a second.
 */
export const endSession = (ports: EndingPorts, session: Session, context: CommandContext): Promise<void> =>
  endSessions(ports, [session], context);

/** Ends all sessions of a client of the authorization server, as `endSession` ends one. */
export const endClientSessions = async (ports: EndingPorts, clientId: string, context: CommandContext): Promise<void> => {
  for await (const page of new Sessions(ports.documents).pages(ports.clock.now()))
    await endSessions(
      ports,
      page.filter((session) => session.clientId === clientId),
      context,
    );
};

const endSessions = async (ports: EndingPorts, sessions: readonly Session[], context: CommandContext): Promise<void> => {
  if (sessions.length === 0) return;
  const ended = sessions.map(({ id, userId }) => ({ type: 'SessionEnded', data: { sessionId: id, userId: userId as UserId } }) as const);
  await record(ports, ended, context);
  await new Sessions(ports.documents).remove(...sessions.map(({ id }) => id));
};

/**
 * Ends the tokens of all sign-ins that came before the revision `before` of the account's stream. The request that changes the
 * account calls this. The domain process user-change-ends-tokens repeats the call, in case the request was interrupted.
 */
export const endAccountTokens = async (
  ports: EndingPorts,
  { userId, before }: { readonly userId: UserId; readonly before: number },
  context: CommandContext,
): Promise<void> => {
  await ports.revocations.refresh();
  if (!ports.revocations.isRecorded(userId, before))
    await record(ports, [{ type: 'AccountTokensEnded', data: { userId, before } }], context);
  await new Sessions(ports.documents).removeEarlier(userId, before);
};

/** Ends the tokens of an account if one of the events ends tokens, for example a new password. */
export const endTokensAfter = async (ports: EndingPorts, userId: UserId, events: readonly AppendedEvent[]): Promise<void> => {
  const ending = events.findLast(({ type }) => endsTokens(type));
  if (ending) await endAccountTokens(ports, { userId, before: ending.meta.revision }, commandContextOf(ending));
};

/** Rejects with StoreUnavailable if too many others appended to the stream of the day: the tokens are still valid then. */
const record = async (
  { aggregates, clock, revocations }: EndingPorts,
  events: readonly RevocationEvent[],
  context: CommandContext,
): Promise<void> => {
  const day = dayOf(clock.now());
  const outcome = await aggregates.handle(REVOCATIONS_OF_DAY, day, { type: 'EndTokens', data: { events } }, context);
  if (isRejection(outcome)) throw new StoreUnavailable(`could not end tokens: ${outcome.rejected}`);
  await revocations.refresh();
};
