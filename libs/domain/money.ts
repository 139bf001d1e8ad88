const DECIMAL = /^(\d+)\.(\d{2})$/;

/**
 * Converts decimal text with two decimals to minor units, such as cents. Returns null for any other text. A
 * BigInt is exact for every amount.
 */
export const minorUnits = (amount: string): bigint | null => {
  const [, whole, cents] = DECIMAL.exec(amount) ?? [];
  return whole === undefined || cents === undefined ? null : BigInt(whole + cents);
};

/** Multiplies an amount by a positive integer. Returns decimal text, or null if `amount` has not exactly two decimals. */
export const multiplyAmount = (amount: string, times: number): string | null => {
  const minor = minorUnits(amount);
  if (minor === null) return null;
  // At least three digits: one before the point and two after it.
  const text = (minor * BigInt(times)).toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
};

/** Whether two texts are the same amount; false if one of them has not exactly two decimals. */
export const isSameAmount = (one: string, other: string): boolean => {
  const minor = minorUnits(one);
  return minor !== null && minor === minorUnits(other);
};
