import type { DomainEvent } from '../domain/events.js';
import type { Process } from '../eventsourcing/process.js';
import {
  adoptionSubmittedHoldsPet,
  petHoldNeedsOpenApplication,
  adoptionApprovalAdoptsPet,
  petAdoptionDecidesApplications,
  adoptionEndFreesPet,
  adoptionErasureForgetsApplicant,
} from './adoption.processes.js';
import {
  petReservedPlacesOrder,
  orderPaymentStartedRequestsPayment,
  paymentRequestedChargesIt,
  paymentApprovesOrder,
  paymentRefundShowsOnOrder,
  orderApprovalAdoptsPet,
  orderCancellationReleasesPetAndRefunds,
  orderFulfilmentFreesPet,
} from './order.processes.js';
import { petPhotoRemovalDeletesImage } from './pet.processes.js';
import { userErasureForgetsPerson, userChangeEndsTokens } from './user.processes.js';
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
