/** What an event says about its cause: the id of the request or of the event that directly caused it. */
type Caused = { readonly id: string; readonly causationId: string };

/** An event with the events that it caused. */
export type Cause<Event> = { readonly event: Event; readonly effects: readonly Cause<Event>[] };

/**
 * Returns the events as trees: those that the request caused, each with what it caused in turn. Events keep their order. An
 * event whose cause is not among the events is a root, so that none is left out; also one of a circle, which cannot happen.
 */
export const causesOf = <Event extends Caused>(events: readonly Event[]): readonly Cause<Event>[] => {
  const known = new Set(events.map(({ id }) => id));
  const effects = Map.groupBy(
    events.filter(({ id, causationId }) => known.has(causationId) && causationId !== id),
    ({ causationId }) => causationId,
  );
  const shown = new Set<string>();
  const treeOf = (event: Event): Cause<Event> => {
    shown.add(event.id);
    return { event, effects: (effects.get(event.id) ?? []).filter(({ id }) => !shown.has(id)).map(treeOf) };
  };
  const roots = events.filter(({ id, causationId }) => !known.has(causationId) || causationId === id).map(treeOf);
  return [...roots, ...events.flatMap((event) => (shown.has(event.id) ? [] : [treeOf(event)]))];
};
