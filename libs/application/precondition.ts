import type { Rejection } from '../eventsourcing/decider.js';
import type { Aggregate, CommandResult, LoadedStream, TenantScoped } from '../eventsourcing/streams/aggregate.js';
import type { Aggregates } from '../eventsourcing/aggregates.js';
import type { HandleOptions } from '../eventsourcing/handle.js';
import type { Message } from '../eventsourcing/message.js';
import { commandContext, type RequestContext } from './request.js';
import type { DocumentFold } from '../eventsourcing/projection.js';
import { etagBeforeErasure, etagOf } from './views.js';

type WithEtag = { readonly projection: DocumentFold & { readonly version: number } };
type AggregateWithEtag<S, C extends Message, E extends Message, R extends string> = Aggregate<S, C, E, R> & WithEtag;

/** Handles a command on an existing resource, if the request's If-Match and If-None-Match allow it. */
export const handleWithPrecondition = <S extends TenantScoped, C extends Message, E extends Message, R extends string>(
  aggregates: Aggregates,
  aggregate: AggregateWithEtag<S, C, E, R>,
  id: string,
  command: C,
  request: RequestContext,
): Promise<CommandResult<S, E> | Rejection<R | 'precondition_failed' | 'contended'>> =>
  aggregates.handle(aggregate, id, command, commandContext(request), preconditionOf(request, aggregate));

/**
 * Returns the precondition of a request with If-Match or If-None-Match, and `{}` for any other request. If the precondition
 * fails, the response is 412 (contract 8.3).
 */
export const preconditionOf = <State>({ ifMatch, ifNoneMatch }: RequestContext, { projection }: WithEtag): HandleOptions<State> => {
  if (!ifMatch && !ifNoneMatch) return {};
  return {
    precondition: ({ folded, end }: LoadedStream<State>) => {
      if (end.revision === 'none') return !ifMatch;
      const etag = etagOf(folded, projection, () => JSON.stringify(folded.document?.body));
      const isExcluded = ifNoneMatch === 'any' || (ifNoneMatch?.map(etagBeforeErasure).includes(etag) ?? false);
      return !isExcluded && (ifMatch?.map(etagBeforeErasure).includes(etag) ?? true);
    },
  };
};

/** Returns a precondition that accepts only the revision at which the stream was loaded. */
export const isStillAt =
  ({ end }: Pick<LoadedStream<unknown>, 'end'>) =>
  (now: Pick<LoadedStream<unknown>, 'end'>): boolean =>
    now.end.revision === end.revision;
