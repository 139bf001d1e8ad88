import type { FieldError } from '../http/problems/error-codes.js';
import { foldEnum } from '../http/validation/canonical.js';
import { decimalsOf } from '../http/decimals.js';
import { shapeOf, type ValidationResult, type Shape } from '../http/validation/shape.js';
import {
  BankAccountPayment,
  CardPayment,
  GuideBankAccountPayment,
  PaymentRequest,
  PaymentOfAnySource,
  type PaymentBody,
} from './payment.dto.js';

/** The fields that only GuideBankAccount has. A source with one of these fields is validated as a GuideBankAccount. */
const GUIDE_FIELDS = ['accountNumber', 'accountHolderName', 'routingNumber'];

/** The validation of a payment. `source.object` and the field names select the DTO class (contract 15.7). */
export const paymentShape: Shape<PaymentBody> = {
  // The class for the OpenAPI document. The classes below validate the body.
  dto: PaymentRequest as unknown as Shape<PaymentBody>['dto'],
  compile: () => {
    const readers = {
      card: shapeOf(CardPayment, [decimalsOf('amount')]).compile(),
      bank_account: shapeOf(BankAccountPayment, [decimalsOf('amount')]).compile(),
      guide: shapeOf(GuideBankAccountPayment, [decimalsOf('amount')]).compile(),
    };
    const readFields = shapeOf(PaymentOfAnySource).compile();
    return (value): ValidationResult<PaymentBody> => {
      const kind = kindOf(value);
      if (typeof kind === 'string') return readers[kind](value);
      const result = readFields(value);
      const errors = 'errors' in result ? result.errors.filter(({ field }) => field !== 'source') : [];
      // If the whole body is invalid, for example a list, the missing source is not listed as a second error.
      return { errors: errors.some(({ field }) => field === 'body') ? errors : [...errors, kind] };
    };
  },
};

type Kind = 'card' | 'bank_account' | 'guide';

/** Returns the kind of the source, or the error that makes the kind unknown. */
const kindOf = (value: unknown): Kind | FieldError => {
  const source = memberOf(value, 'source');
  if (source === undefined) return { field: 'source', message: 'is required', code: 'required' };
  if (typeof source !== 'object' || source === null || Array.isArray(source))
    return { field: 'source', message: 'must be an object', code: 'invalid_type' };
  const object = memberOf(source, 'object');
  if (object === undefined) return { field: 'source.object', message: 'is required', code: 'required' };
  if (typeof object !== 'string') return { field: 'source.object', message: 'must be a string', code: 'invalid_type' };
  const kind = foldEnum(object);
  if (kind === 'card') return kind;
  if (kind === 'bank_account') return GUIDE_FIELDS.some((name) => memberOf(source, name) !== undefined) ? 'guide' : kind;
  return { field: 'source.object', message: 'must be one of card, bank_account', code: 'invalid_enum' };
};

/** Returns a member of an object. A member that is null is absent (contract 3.8). */
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? ((value as Record<string, unknown>)[name] ?? undefined)
    : undefined;
