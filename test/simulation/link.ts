/**
 * Carries a call to a simulated server and its answer back. `call` describes it in the story of a run, such as `get pets/17`. The
 * effect runs at once or not at all, and may run after the caller has ended. A simulation delays calls, loses answers and repeats
 * calls here.
 */
export type Link = <T>(call: string, effect: () => T) => Promise<T>;

/** The link without a simulation, for contract suites: calls arrive, and their answers return. */
export const directLink: Link = async (_, effect) => effect();

/** Returns whether a call only reads. */
export const isRead = (call: string): boolean => /^(?:get|find|read|list|count|sum|look|state)/.test(call);
