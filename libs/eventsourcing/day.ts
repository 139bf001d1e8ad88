/** Returns the day of a time in UTC, for example 2026-02-01. A time that is a number has milliseconds since 1970. */
export const dayOf = (time: Date | number): string => new Date(time).toISOString().slice(0, 10);
