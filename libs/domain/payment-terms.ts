import type { Personal } from '../eventsourcing/sealed.js';

/** A payment source as it may be kept and shown: numbers masked to the last four digits, the cvc never there. */
export type MaskedSource =
  | {
      readonly object: 'card';
      readonly name?: Personal;
      /** As `************4242`. */
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

/** What is paid, with what, and the gateway's word for it. */
export type PaymentTerms = {
  /** Decimal text with two decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly source: MaskedSource;
  /** The gateway's opaque reference; never in a topic, webhook, log or answer. */
  readonly reference: string;
};

/** Where the personal values stand in the data of events that carry payment terms. */
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
