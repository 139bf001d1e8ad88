/**
 * Returns whether a value that was read at `readAt` is less than `milliseconds` old. If the clock was set back, the age may
 * be negative. A value with a negative age counts as stale.
 */
export const isFresh = (readAt: number, now: number, milliseconds: number): boolean => {
  const age = now - readAt;
  return age >= 0 && age < milliseconds;
};
