import type { DomainEvent } from '../domain/events.js';
import type { Process } from '../eventsourcing/process.js';
import { adoptionApprovalAdoptsPet } from './adoptions/adoption-approval-adopts-pet.process.js';
import { adoptionEndFreesPet } from './adoptions/adoption-end-frees-pet.process.js';
import { adoptionErasureForgetsApplicant } from './adoptions/adoption-erasure-forgets-applicant.process.js';
import { adoptionSubmittedHoldsPet } from './adoptions/adoption-submitted-holds-pet.process.js';
import { orderApprovalAdoptsPet } from './order-approval-adopts-pet.process.js';
import { orderCancellationReleasesPetAndRefunds } from './order-cancellation-releases-pet-and-refunds.process.js';
import { orderFulfilmentFreesPet } from './order-fulfilment-frees-pet.process.js';
import { orderPaymentStartedRequestsPayment } from './order-payment-started-requests-payment.process.js';
import { paymentApprovesOrder, paymentRefundShowsOnOrder } from './payment-approves-order.process.js';
import { paymentRequestedChargesIt } from './payment-requested-charges-it.process.js';
import { petPhotoRemovalDeletesImage } from './pet-photo-removal-deletes-image.process.js';
import { petHoldNeedsOpenApplication } from './adoptions/pet-hold-needs-open-application.process.js';
import { petAdoptionDecidesApplications } from './adoptions/pet-adoption-decides-applications.process.js';
import { petReservedPlacesOrder } from './pet-reserved-places-order.process.js';
import { userChangeEndsTokens } from './user-change-ends-tokens.process.js';
import { userErasureForgetsPerson } from './user-erasure-forgets-person.process.js';
import type { ProcessCommand } from './process-command.js';

/** All domain processes. Each converts an event to the commands that follow from it. */
export const processes: readonly Process<DomainEvent, ProcessCommand>[] = [
  petReservedPlacesOrder,
  orderPaymentStartedRequestsPayment,
  paymentRequestedChargesIt,
  paymentApprovesOrder,
  paymentRefundShowsOnOrder,
  orderApprovalAdoptsPet,
  orderCancellationReleasesPetAndRefunds,
  orderFulfilmentFreesPet,
  adoptionSubmittedHoldsPet,
  petHoldNeedsOpenApplication,
  adoptionApprovalAdoptsPet,
  petAdoptionDecidesApplications,
  adoptionEndFreesPet,
  adoptionErasureForgetsApplicant,
  userErasureForgetsPerson,
  userChangeEndsTokens,
  petPhotoRemovalDeletesImage,
];
