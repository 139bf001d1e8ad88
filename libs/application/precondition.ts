import type { HandleOptions, Loaded } from '../eventsourcing/handle.js';
import type { RequestContext } from './request.js';
import { etagOf } from './views.js';

/**
 * "If-Match on PUT and DELETE gives 412 when stale": it becomes the revision that the append expects, and is not retried.
 * If-None-Match likewise: it gives 412 for what the resource is. No option without either header.
 */
export const preconditionOf = <State>(
  { ifMatch, ifNoneMatch }: RequestContext,
  projection: { readonly version: number },
): HandleOptions<State> => {
  if (!ifMatch && !ifNoneMatch) return {};
  return {
    precondition: ({ end }: Loaded<State>) => {
      if (end.revision === 'none') return !ifMatch;
      const etag = etagOf(end.revision, projection);
      const isExcluded = ifNoneMatch === 'any' || ifNoneMatch?.includes(etag) === true;
      return !isExcluded && (ifMatch?.includes(etag) ?? true);
    },
  };
};
