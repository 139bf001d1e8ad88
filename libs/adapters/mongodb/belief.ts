/**
 * Whether what was read then may still be believed, for so many milliseconds. A clock that was set back makes ages negative: those count as too
 * old, or what was read would be believed until the clock has caught up with it.
 */
export const isBelieved = (readAt: number, now: number, milliseconds: number): boolean => {
  const age = now - readAt;
  return age >= 0 && age < milliseconds;
};
