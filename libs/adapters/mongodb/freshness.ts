/**
 * Returns whether a value read at `readAt` is at most `milliseconds` old. After the clock is set back the age
 * is negative. Such a value counts as stale: it would otherwise stay fresh until the clock has caught up.
 */
export const isFresh = (readAt: number, now: number, milliseconds: number): boolean => {
  const age = now - readAt;
  return age >= 0 && age < milliseconds;
};
