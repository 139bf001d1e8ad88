import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';

/** Returns the number of characters of events. */
export const charactersOf = (events: readonly StoredEvent[]): number =>
  events.reduce((characters, { data, metadata }) => characters + data.length + metadata.length, 0);

/** Returns the first events that stay within both limits, but at least one, even if that event alone exceeds `maxCharacters`. */
export const firstWithin = (events: readonly StoredEvent[], maxEvents: number, maxCharacters: number): readonly StoredEvent[] => {
  let characters = 0;
  const end = events.findIndex((event, index) => {
    characters += charactersOf([event]);
    return index === maxEvents || (index > 0 && characters > maxCharacters);
  });
  return end < 0 ? events : events.slice(0, end);
};
