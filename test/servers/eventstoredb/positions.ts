/**
 * A real log's positions are places in a file: they only grow, with gaps. The store's own grow by one, so they are
 * spread, and whoever takes them for counts is found out.
 */
const SPREAD = 131;

/** A position as the server tells it. */
export const toldPosition = (position: number): string => String(position * SPREAD);

/** The last own position before a told one; a read that includes the told one begins after it. */
export const lastBefore = (told: string): number => Math.max(0, Math.ceil(Number(told) / SPREAD) - 1);

/** The last own position up to a told one, which a subscription begins after. */
export const lastUpTo = (told: string): number => Math.floor(Number(told) / SPREAD);
