const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const;

/** Returns a length of time in its two largest units: "2 h 5 min". */
export const lengthWords = (seconds: number): string => {
  let rest = Math.max(0, Math.round(seconds));
  const parts: string[] = [];
  for (const [size, unit] of UNITS) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count} ${unit}`);
    // A smaller unit says little beside the one two steps above it.
    else if (parts.length > 0) break;
    if (parts.length === 2) break;
  }
  return parts.length === 0 ? '0 s' : parts.join(' ');
};

const CLOCKS = 3;

/** Returns how long ago a time was, or in how long it is. */
export const agoWords = (time: number, now: number): string => {
  const seconds = (now - time) / 1_000;
  const length = Math.abs(seconds);
  // The clocks of machines differ a little, so what has just happened may seem to be in the future.
  if (length < 1 || (seconds < 0 && length < CLOCKS)) return 'now';
  // Seconds would change all the time, and say little beside minutes.
  const words = lengthWords(length < 60 ? length : Math.floor(length / 60) * 60);
  return seconds > 0 ? `${words} ago` : `in ${words}`;
};

/** Returns a time in UTC, for a document that is read in several places: "2026-11-30 17:58:12.577 UTC". */
export const utcWords = (time: string): string => `${time.replace('T', ' ').replace(/Z$/, '')} UTC`;
