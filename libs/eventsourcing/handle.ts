import { isRejection, rejected, type Rejection } from './decider.js';
import type { EventCodec } from './event-codec.js';
import { isOfOtherTenant, type BrokenHistory } from './history.js';
import type { CommandContext, Message } from './message.js';
import type { EventStore } from './ports/event-store.port.js';
import { emptyStream, type Aggregate, type CommandResult, type LoadedStream, type TenantScoped } from './streams/aggregate.js';
import type { StreamLoader } from './streams/stream-loader.js';

export type HandleOptions<State> = {
  /** Whether the caller has just created the id. The stream of a new id cannot exist yet and is not read. */
  readonly isNew?: boolean;
  /** The stream, if the caller has just loaded it. After a conflict, the stream is loaded again. */
  readonly loaded?: LoadedStream<State>;
  /**
   * Returns whether the command may run on this state of the stream, for example because its revision is the one in If-Match.
   * If not, the command is rejected as `precondition_failed`. So it is if another writer appends before the command does.
   */
  readonly precondition?: (loaded: LoadedStream<State>) => boolean;
};

/** Number of attempts after which a command with repeated conflicts is rejected as `contended`. */
export const MAX_ATTEMPTS = 100;

/** What handling a command needs. */
export type HandlingPorts = {
  readonly streams: StreamLoader;
  readonly store: Pick<EventStore, 'append'>;
  readonly codec: Pick<EventCodec, 'encode'>;
};

export type HandleResult<S, E extends Message, R extends string> = CommandResult<S, E> | Rejection<R | 'precondition_failed' | 'contended'>;

/**
 * Runs a command on one aggregate: loads its stream, decides, appends. After a conflict with another writer, reloads the stream
 * and decides again, up to MAX_ATTEMPTS times. A command with a precondition is not decided again, but rejected as
 * `precondition_failed`.
 *
 * Rejects with StoreUnavailable if the store is unavailable, and with BrokenHistory if the stream was altered or cannot be
 * read.
 */
export const handle = async <S extends TenantScoped, C extends Message, E extends Message, R extends string>(
  ports: HandlingPorts,
  aggregate: Aggregate<S, C, E, R>,
  id: string,
  command: C,
  context: CommandContext,
  { isNew = false, loaded, precondition }: HandleOptions<S> = {},
): Promise<HandleResult<S, E, R>> => {
  let first = loaded ?? (isNew ? emptyStream(aggregate) : null);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const stream = first ? { loaded: first, fault: null } : await loadForDecision(ports, aggregate, id, context);
    first = null;
    const outcome = await decideAndAppend(ports, aggregate, id, command, context, { ...stream, precondition });
    if (outcome !== 'conflict') return outcome;
    if (precondition) return rejected('precondition_failed');
  }
  return rejected('contended');
};

/** A stream on which a command is decided. `fault` is that of another tenant's broken stream, which is treated as empty. */
type DecidedOn<S> = {
  readonly loaded: LoadedStream<S>;
  readonly fault: BrokenHistory | null;
  readonly precondition: HandleOptions<S>['precondition'];
};

/** Decides a command on a loaded stream, and appends. Returns `conflict` if another writer has appended first. */
export const decideAndAppend = async <S extends TenantScoped, C extends Message, E extends Message, R extends string>(
  { streams, store, codec }: HandlingPorts,
  aggregate: Aggregate<S, C, E, R>,
  id: string,
  command: C,
  context: CommandContext,
  { loaded, fault, precondition }: DecidedOn<S>,
): Promise<CommandResult<S, E> | Rejection<R | 'precondition_failed'> | 'conflict'> => {
  const stream = `${aggregate.category}-${id}`;
  const isOfTenant = belongsTo(context.tenant, loaded.state);
  const decision = aggregate.decider.decide(command, isOfTenant ? loaded.state : aggregate.decider.initial);
  if (isRejection(decision)) return decision;
  // The decision treated another tenant's broken stream as empty, but no event can be appended to a broken stream.
  if (fault && decision.length > 0) throw fault;
  if (!isOfTenant && decision.length > 0) throw new Error(`${command.type} would write to another tenant's ${stream}`);
  // The rules come before the precondition: their rejections say more than 412.
  if (precondition?.(loaded) === false) return rejected('precondition_failed');
  if (decision.length === 0) return { ...loaded, events: [] };
  const { encoded, recorded, end } = await codec.encode(stream, loaded.end, decision, context);
  const result = await store.append(stream, loaded.end.revision, encoded);
  if (result.kind === 'appended') return streams.added(aggregate, stream, loaded, { recorded, end });
  streams.drop(stream, loaded);
  return 'conflict';
};

/**
 * Loads the stream on which a command is decided. A broken stream of another tenant is returned as an empty stream, as if its id
 * did not exist (contract 6.2).
 */
const loadForDecision = async <S extends TenantScoped, C extends Message, E extends Message, R extends string>(
  { streams }: HandlingPorts,
  aggregate: Aggregate<S, C, E, R>,
  id: string,
  { tenant }: CommandContext,
): Promise<{ loaded: LoadedStream<S>; fault: BrokenHistory | null }> => {
  try {
    return { loaded: await streams.load(aggregate, id), fault: null };
  } catch (error) {
    if (!isOfOtherTenant(tenant, error)) throw error;
    return { loaded: emptyStream(aggregate), fault: error };
  }
};

/** Returns whether a stream is new or the tenant's own. Any other stream is treated as if it did not exist (contract 6.2). */
const belongsTo = (tenant: string, state: TenantScoped): boolean => state.tenant === null || state.tenant === tenant;
