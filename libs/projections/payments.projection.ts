import type { MaskedSource } from '../domain/payment-terms.js';
import type { PaymentEvent, PaymentStatus } from '../domain/payments/payment.events.js';
import { aggregateIdOf, type EventMeta } from '../eventsourcing/message.js';
import { projection, type Document } from '../eventsourcing/projection.js';
import type { Said } from './said.js';

/** A source as it goes out; personal values rest sealed and are opened when it is read. */
type SourceBody = { [O in MaskedSource['object']]: Said<Extract<MaskedSource, { object: O }>> }[MaskedSource['object']];

/** A payment as it goes out. The gateway's reference is never among it. */
export type Payment = {
  readonly id: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly source: SourceBody;
  readonly status: PaymentStatus;
  /** Why a failed one did, in the gateway's words. */
  readonly failureReason?: string;
};

/** What payments are found by. */
type PaymentFields = {
  readonly tenant: string;
  readonly orderId: string;
  readonly status: PaymentStatus;
  readonly requestedAt: string;
  /** When it succeeded or failed; null while processing. */
  readonly settledAt: string | null;
};

type PaymentDocument = Document<Payment, PaymentFields>;
type Requested = Extract<PaymentEvent, { type: 'PaymentRequested' }>['data'];

/** The members stand in the documented order, whatever order the event has them in; named one by one, so that nothing slips through. */
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

const requested = ({ orderId, amount, currency, source }: Requested, { stream, tenant, time }: EventMeta): PaymentDocument => ({
  body: { id: aggregateIdOf(stream), amount, currency, source: sourceOf(source), status: 'processing' },
  fields: { tenant, orderId, status: 'processing', requestedAt: time, settledAt: null },
});

const settled = (current: PaymentDocument | null, status: PaymentStatus, { time }: EventMeta): PaymentDocument | null =>
  current && { body: { ...current.body, status }, fields: { ...current.fields, status, settledAt: time } };

const failed = (current: PaymentDocument | null, failureReason: string, meta: EventMeta): PaymentDocument | null => {
  const document = settled(current, 'failed', meta);
  return document && { ...document, body: { ...document.body, failureReason } };
};

/** Every payment attempt. */
export const paymentsProjection = projection<PaymentEvent, Payment, PaymentFields>({
  name: 'payments',
  version: 1,
  category: 'payment',
  fields: { tenant: 'text', orderId: 'text', status: 'text', requestedAt: 'text', settledAt: 'text' },
  // "the payment is the latest attempt"
  indexes: [['orderId', '-requestedAt']],
  cells: [],
  amount: () => 1,
  on: {
    PaymentRequested: (_, terms, meta) => requested(terms, meta),
    PaymentSucceeded: (current, _, meta) => settled(current, 'succeeded', meta),
    PaymentFailed: (current, { reason }, meta) => failed(current, reason, meta),
    // The documented statuses know no refund: the payment did succeed. The revision moves on.
    PaymentRefunded: (current) => current,
  },
});
