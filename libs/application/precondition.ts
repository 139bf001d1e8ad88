import type { Rejection } from '../eventsourcing/decider.js';
import type { Aggregate, Aggregates, CommandResult, HandleOptions, LoadedStream, TenantScoped } from '../eventsourcing/handle.js';
import type { Message } from '../eventsourcing/message.js';
import { commandContext, type RequestContext } from './request.js';
import { etagOf } from './views.js';

/** An aggregate whose resource has entity tags: they carry the version of the read model that shows it. */
type Tagged<S, C extends Message, E extends Message, R extends string> = Aggregate<S, C, E, R> & {
  readonly projection: { readonly version: number };
};

/** Handles a command that a request sends to an existing resource, under the request's If-Match and If-None-Match. */
export const handleOnMatch = <S extends TenantScoped, C extends Message, E extends Message, R extends string>(
  aggregates: Aggregates,
  aggregate: Tagged<S, C, E, R>,
  id: string,
  command: C,
  request: RequestContext,
): Promise<CommandResult<S, E> | Rejection<R | 'precondition_failed' | 'contended'>> =>
  aggregates.handle(aggregate, id, command, commandContext(request), preconditionOf(request, aggregate.projection));

/**
 * "If-Match on PUT and DELETE gives 412 when stale": it becomes the revision that the append expects, and is not retried.
 * If-None-Match likewise: it gives 412 for what the resource is. No option without either header.
 */
const preconditionOf = <State>(
  { ifMatch, ifNoneMatch }: RequestContext,
  projection: { readonly version: number },
): HandleOptions<State> => {
  if (!ifMatch && !ifNoneMatch) return {};
  return {
    precondition: ({ end }: LoadedStream<State>) => {
      if (end.revision === 'none') return !ifMatch;
      const etag = etagOf(end.revision, projection);
      const isExcluded = ifNoneMatch === 'any' || ifNoneMatch?.includes(etag) === true;
      return !isExcluded && (ifMatch?.includes(etag) ?? true);
    },
  };
};
