import type { Fields } from '../ports/documents.port.js';
import type { Message } from '../message.js';
import type { Document, Projection, ProjectionHandler } from '../projection.js';
import { recorded, type GivenEvent } from './recorded.js';

/** Folds the events of one stream (by default `<category>-1`) with a projection. Returns the resulting document, or null. */
export const foldProjection = <Event extends Message, Body, F extends Fields>(
  { category, on }: Projection<Event, Body, F>,
  events: readonly GivenEvent<Event>[],
  stream = `${category}-1`,
): Document<Body, F> | null => {
  const handlers = on as Readonly<Record<string, ProjectionHandler<Message, Document<Body, F>> | 'ignore'>>;
  return recorded(events, stream).reduce<Document<Body, F> | null>((current, event) => {
    const handler = handlers[event.type];
    if (!handler) throw new Error(`no handler for ${event.type}`);
    return handler === 'ignore' ? current : handler(current, event.data, event.meta);
  }, null);
};
