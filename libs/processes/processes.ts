import type { DomainEvent } from '../domain/events.js';
import type { Process } from '../eventsourcing/process.js';
import { orderApprovalAdoptsPet } from './order-approval-adopts-pet.process.js';
import { orderCancellationReleasesPetAndRefunds } from './order-cancellation-releases-pet-and-refunds.process.js';
import { orderFulfilmentFreesPet } from './order-fulfilment-frees-pet.process.js';
import { orderPaymentStartedRequestsPayment } from './order-payment-started-requests-payment.process.js';
import { paymentApprovesOrder } from './payment-approves-order.process.js';
import { paymentRequestedChargesIt } from './payment-requested-charges-it.process.js';
import { petReservedPlacesOrder } from './pet-reserved-places-order.process.js';
import { userErasureForgetsPerson } from './user-erasure-forgets-person.process.js';
import type { ProcessCommand } from './process-command.js';

/** All domain processes. Each reacts to events by sending commands. */
export const processes: readonly Process<DomainEvent, ProcessCommand>[] = [
  petReservedPlacesOrder,
  orderPaymentStartedRequestsPayment,
  paymentRequestedChargesIt,
  paymentApprovesOrder,
  orderApprovalAdoptsPet,
  orderCancellationReleasesPetAndRefunds,
  orderFulfilmentFreesPet,
  userErasureForgetsPerson,
];
