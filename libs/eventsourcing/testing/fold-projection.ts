import type { Fields } from '../ports/documents.port.js';
import type { Message } from '../message.js';
import { handlerOf, type Document, type Projection } from '../projection.js';
import { recorded, type GivenEvent } from './recorded.js';

/** Folds the events of one stream (by default `<category>-1`) with a projection. Returns the resulting document, or null. */
export const foldProjection = <Event extends Message, Body, F extends Fields>(
  projection: Projection<Event, Body, F>,
  events: readonly GivenEvent<Event>[],
  stream = `${projection.category}-1`,
): Document<Body, F> | null =>
  recorded(events, stream).reduce<Document<unknown> | null>((current, event) => {
    const handler = handlerOf(projection, event);
    return handler === 'ignore' ? current : handler(current, event.data, event.meta);
  }, null) as Document<Body, F> | null;
