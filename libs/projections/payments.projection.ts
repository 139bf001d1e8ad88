import type { MaskedSource } from '../domain/payment-terms.js';
import type { PaymentEvent, PaymentStatus } from '../domain/payments/payment.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';
import type { ExplicitOptional } from './explicit-optional.js';

/**
 * A payment source as the interface returns it. Personal values are encrypted in the read model and decrypted when they are
 * read.
 */
type SourceBody = { [O in MaskedSource['object']]: ExplicitOptional<Extract<MaskedSource, { object: O }>> }[MaskedSource['object']];

/** A payment as the interface returns it. It never contains the gateway's reference to the card or bank account. */
export type Payment = {
  readonly id: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly source: SourceBody;
  readonly status: PaymentStatus;
  /** The gateway's reason for a failed payment. */
  readonly failureReason?: string;
};

/** The fields that payments are queried by. */
type PaymentFields = {
  readonly tenant: string;
  readonly orderId: string;
  readonly status: PaymentStatus;
  readonly requestedAt: string;
  /** When the payment succeeded or failed; null while it is processed. */
  readonly settledAt: string | null;
};

type PaymentDocument = Document<Payment, PaymentFields>;
type RequestedData = Extract<PaymentEvent, { type: 'PaymentRequested' }>['data'];

/**
 * Names each member instead of copying the event. So the members keep the documented order, and a new event field is not
 * exposed by accident.
 */
const sourceOf = (source: MaskedSource): SourceBody =>
  source.object === 'card'
    ? {
        object: 'card',
        name: source.name,
        number: source.number,
        brand: source.brand,
        last4: source.last4,
        expMonth: source.expMonth,
        expYear: source.expYear,
        addressLine1: source.addressLine1,
        addressLine2: source.addressLine2,
        addressCity: source.addressCity,
        addressCountry: source.addressCountry,
        addressPostCode: source.addressPostCode,
      }
    : {
        object: 'bank_account',
        name: source.name,
        number: source.number,
        sortCode: source.sortCode,
        accountType: source.accountType,
        bankName: source.bankName,
        country: source.country,
      };

const requested = ({ orderId, amount, currency, source }: RequestedData, { stream, tenant, time }: EventMeta): PaymentDocument => ({
  body: { id: aggregateIdOf(stream), amount, currency, source: sourceOf(source), status: 'processing' },
  fields: { tenant, orderId, status: 'processing', requestedAt: time, settledAt: null },
});

const settled = (current: PaymentDocument | null, status: PaymentStatus, { time }: EventMeta): PaymentDocument | null =>
  current && { body: { ...current.body, status }, fields: { ...current.fields, status, settledAt: time } };

const failed = (current: PaymentDocument | null, failureReason: string, meta: EventMeta): PaymentDocument | null => {
  const document = settled(current, 'failed', meta);
  return document && { ...document, body: { ...document.body, failureReason } };
};

/** The read model of every payment, successful or not. */
export const paymentsProjection = projection<PaymentEvent, Payment, PaymentFields>({
  name: 'payments',
  version: 1,
  category: 'payment',
  fields: { tenant: 'text', orderId: 'text', status: 'text', requestedAt: 'text', settledAt: 'text' },
  // The first finds the payment that was requested last for an order (contract 15.11). The second counts payments (contract 43.12).
  indexes: [['orderId', '-requestedAt'], ['status']],
  cells: [],
  amount: () => 1,
  on: {
    PaymentRequested: (_, terms, meta) => requested(terms, meta),
    PaymentSucceeded: (current, _, meta) => settled(current, 'succeeded', meta),
    PaymentFailed: (current, { reason }, meta) => failed(current, reason, meta),
    // The documented statuses do not include a refund (contract 15.2), so the payment stays `succeeded`. Only the revision of
    // the document rises.
    PaymentRefunded: (current) => current,
  },
});
