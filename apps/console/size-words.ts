const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const;

/** Returns a size in words: "8.2 MB". */
export const sizeWords = (bytes: number): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1_000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power] ?? ''}`;
};

/** Returns a number of things in words: "1 event", "12,000 events". */
export const countWords = (count: number, noun: string): string => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
