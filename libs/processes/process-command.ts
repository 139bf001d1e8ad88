import type { AdoptionCommand, ForgetApplicant, FreePetIfEnded } from '../domain/adoptions/adoption.decider.js';
import type { OrderCommand } from '../domain/orders/order.decider.js';
import type { PaymentCommand, GatewayCommand } from '../domain/payments/payment.decider.js';
import type { EndAccountTokens, ForgetPerson } from '../domain/users/user.decider.js';
import type { DeleteImage, PetCommand } from '../domain/pets/pet.decider.js';

/** The commands that domain processes return as the consequences of events. */
export type ProcessCommand =
  | Extract<PetCommand, { type: 'AdoptPet' | 'ReleasePet' | 'HoldPetForAdoption' | 'FreePetFromAdoption' | 'AdoptPetByApplication' }>
  | Extract<OrderCommand, { type: 'CreateOrder' | 'ApproveOrder' | 'FailOrderPayment' | 'RecordOrderRefund' }>
  | Extract<PaymentCommand, { type: 'CreatePayment' }>
  | DeleteImage
  | Extract<AdoptionCommand, { type: 'ApproveAdoption' | 'RejectAdoption' }>
  | ForgetApplicant
  | FreePetIfEnded
  | ForgetPerson
  | EndAccountTokens
  | GatewayCommand;
