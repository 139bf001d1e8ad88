// Where many processes write, a read of the store is a request to a server. Most commands follow from an event that this process
// has just observed, so it decides on the events that it has observed, and reads the store only if the decision may be wrong.
import { isRejection } from './decider.js';
import { isOfOtherTenant } from './history.js';
import { decideAndAppend, handle, type HandleOptions, type HandleResult, type HandlingPorts } from './handle.js';
import type { CommandContext, Message } from './message.js';
import type { Aggregate, TenantScoped } from './streams/aggregate.js';

/**
 * Runs a command as `handle` does, first on the observed events. An append is final, because it detects a conflict. A decision to
 * do nothing is final only if the event that caused the command was observed. After a rejection, a failed precondition or a
 * conflict, `handle` reads the store and decides again.
 */
export const handleObserved = async <S extends TenantScoped, C extends Message, E extends Message, R extends string>(
  ports: HandlingPorts,
  aggregate: Aggregate<S, C, E, R>,
  id: string,
  command: C,
  context: CommandContext,
  options: HandleOptions<S> = {},
): Promise<HandleResult<S, E, R>> => {
  const observed = options.isNew || options.loaded ? null : loadObserved(ports, aggregate, id, context);
  if (observed) {
    const { upTo, ...loaded } = observed;
    const on = { loaded, fault: null, precondition: options.precondition };
    const outcome = await decideAndAppend(ports, aggregate, id, command, context, on);
    const hasObservedCause = (context.causedAt ?? Infinity) <= upTo;
    if (outcome !== 'conflict' && !isRejection(outcome) && (outcome.events.length > 0 || hasObservedCause)) return outcome;
  }
  return handle(ports, aggregate, id, command, context, options);
};

/** Returns null if nothing of the stream was observed, or if it is another tenant's broken stream. */
const loadObserved = <S extends TenantScoped, C extends Message, E extends Message, R extends string>(
  { streams }: HandlingPorts,
  aggregate: Aggregate<S, C, E, R>,
  id: string,
  { tenant }: CommandContext,
) => {
  try {
    return streams.loadCached(aggregate, id);
  } catch (error) {
    if (isOfOtherTenant(tenant, error)) return null;
    throw error;
  }
};
