/** The end of a card's life, as it stands on the card. */
export type CardExpiry = { readonly expMonth: number; readonly expYear: number };

/** Whether a card can no longer be charged on a day (`today` is YYYY-MM-DD, in UTC): it is good to the end of its month. */
export const hasExpired = ({ expMonth, expYear }: CardExpiry, today: string): boolean => {
  const [year = NaN, month = NaN] = today.split('-').map(Number);
  return expYear < year || (expYear === year && expMonth < month);
};
