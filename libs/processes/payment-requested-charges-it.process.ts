import type { PaymentId } from '../domain/ids.js';
import type { PaymentEvent } from '../domain/payments/payment.events.js';
import { aggregateIdOf } from '../eventsourcing/message.js';
import type { Process } from '../eventsourcing/process.js';
import type { ProcessCommand } from './process-command.js';

/** Charges the card or bank account of a payment that was requested (contract 15.9). */
export const paymentRequestedChargesIt: Process<PaymentEvent, ProcessCommand> = {
  name: 'payment-requested-charges-it',
  on: {
    PaymentRequested: ({ meta }) => [{ type: 'ChargePayment', data: { paymentId: aggregateIdOf(meta.stream) as PaymentId } }],
  },
};
