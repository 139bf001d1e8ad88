import type { HandleOptions, Loaded } from '../eventsourcing/handle.js';
import type { RequestContext } from './request.js';
import { etagOf } from './views.js';

/**
 * "If-Match on PUT and DELETE gives 412 when stale": it becomes the revision that the append expects, and is not
 * retried. No option without the header.
 */
export const ifMatch = <State>({ ifMatch: tags }: RequestContext, projection: { readonly version: number }): HandleOptions<State> => {
  if (!tags) return {};
  return { precondition: ({ end }: Loaded<State>) => end.revision !== 'none' && tags.includes(etagOf(end.revision, projection)) };
};
