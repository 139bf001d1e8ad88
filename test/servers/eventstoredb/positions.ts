/**
 * Positions of a real log are offsets in a file and grow with gaps. Those of the backing store grow by one.
 * They are multiplied, so that code that treats positions as counts fails.
 */
const SPREAD = 131;

/** Converts a position of the EventStore port to a position of the server. */
export const toServerPosition = (position: number): string => String(position * SPREAD);

/** The last store position before a server position. A read that includes the position starts after it. */
export const lastBefore = (position: string): number => Math.max(0, Math.ceil(Number(position) / SPREAD) - 1);

/** The last store position up to a server position. A subscription starts after it. */
export const lastUpTo = (position: string): number => Math.floor(Number(position) / SPREAD);
