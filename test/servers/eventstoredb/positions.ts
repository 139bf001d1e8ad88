/**
 * Positions of a real log are offsets in a file and grow with gaps. Positions of the backing store grow by one.
 * This server multiplies the store's positions by this number, so that code fails if it treats positions as counts.
 */
const SPREAD = 131;

/** Converts a position of the EventStore port to a position of the server. */
export const toServerPosition = (position: number): string => String(position * SPREAD);

/** Returns the last store position before a server position. A read from there on includes the event at the server position. */
export const lastBefore = (position: string): number => Math.max(0, Math.ceil(Number(position) / SPREAD) - 1);

/** Returns the last store position up to a server position. A subscription from there on starts with the event after it. */
export const lastUpTo = (position: string): number => Math.floor(Number(position) / SPREAD);
