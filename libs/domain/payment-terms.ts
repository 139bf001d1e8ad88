import type { Personal } from '../eventsourcing/sealed.js';
import type { UserId } from './ids.js';

/**
 * A payment source that is safe to store and return: numbers are masked to the last four digits, and the cvc
 * is omitted.
 */
export type MaskedSource =
  | {
      readonly object: 'card';
      readonly name?: Personal;
      /** For example `************4242`. */
      readonly number: string;
      readonly brand: string;
      readonly last4: string;
      readonly expMonth: number;
      readonly expYear: number;
      readonly addressLine1?: Personal;
      readonly addressLine2?: Personal;
      readonly addressCity?: Personal;
      readonly addressCountry?: Personal;
      readonly addressPostCode?: Personal;
    }
  | {
      readonly object: 'bank_account';
      readonly name?: Personal;
      readonly number: string;
      readonly sortCode?: Personal;
      readonly accountType?: string;
      readonly bankName?: Personal;
      readonly country?: string;
    };

/** The amount and the source of a payment, and the gateway's reference to that source. */
export type PaymentTerms = {
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly source: MaskedSource;
  /**
   * The account whose token placed the order. Absent if no account did. The personal values are also encrypted with the
   * key of that account.
   */
  readonly payer?: UserId;
  /** The gateway's opaque reference. It is never published, delivered, logged or returned. */
  readonly reference: string;
};

/** The paths of the personal values in the data of events with payment terms. */
export const PERSONAL_IN_TERMS = [
  'source.name',
  'source.addressLine1',
  'source.addressLine2',
  'source.addressCity',
  'source.addressCountry',
  'source.addressPostCode',
  'source.sortCode',
  'source.bankName',
] as const;
