const DECIMAL = /^(\d+)\.(\d{2})$/;

/** A decimal text with two decimals in minor units, by BigInt so that no cent is ever lost; null for any other text. */
export const minorUnits = (amount: string): bigint | null => {
  const [, whole, cents] = DECIMAL.exec(amount) ?? [];
  return whole === undefined || cents === undefined ? null : BigInt(whole + cents);
};

/** An amount so many (a whole number of) times, as decimal text; null when the amount is no decimal text. */
export const multiply = (amount: string, times: number): string | null => {
  const minor = minorUnits(amount);
  if (minor === null) return null;
  const text = (minor * BigInt(times)).toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
};

/** Whether two decimal texts are the same amount; false when either is none. */
export const equals = (one: string, other: string): boolean => {
  const minor = minorUnits(one);
  return minor !== null && minor === minorUnits(other);
};
