/**
 * Returns whether a value that was read at `readAt` is at most `milliseconds` old. After the clock was set
 * back, the age is negative, and the value is stale.
 */
export const isFresh = (readAt: number, now: number, milliseconds: number): boolean => {
  const age = now - readAt;
  return age >= 0 && age < milliseconds;
};
