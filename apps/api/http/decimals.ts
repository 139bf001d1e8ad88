import { hasDecimals } from '../../../libs/domain/currencies.js';
import type { CrossRule } from './validation/shape.js';

type Money<Field extends string> = { readonly [Name in Field]?: string } & { readonly currency?: string };

/** Creates the rule that an amount has no decimals that its currency lacks (contract 3.6): they are zeros, as in `100.00` JPY. */
export const decimalsOf =
  <Field extends 'price' | 'amount'>(field: Field): CrossRule<Money<Field>> =>
  ({ [field]: amount, currency }) => {
    if (amount === undefined || currency === undefined || hasDecimals(currency) || amount.endsWith('.00')) return [];
    return [{ field, message: `must end with .00, because ${currency} has no decimals`, code: 'INVALID_FORMAT' }];
  };
