/** The expiry date printed on a card. */
export type CardExpiry = { readonly expMonth: number; readonly expYear: number };

/**
 * Whether a card has expired on a day (`today` is YYYY-MM-DD, in UTC). A card is valid to the end of its
 * month.
 */
export const hasExpired = ({ expMonth, expYear }: CardExpiry, today: string): boolean => {
  const [year = NaN, month = NaN] = today.split('-').map(Number);
  return expYear < year || (expYear === year && expMonth < month);
};
