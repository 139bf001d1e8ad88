import type { OrderCommand } from '../domain/orders/order.commands.js';
import type { PaymentCommand, PaymentRequest } from '../domain/payments/payment.commands.js';
import type { PetCommand } from '../domain/pets/pet.commands.js';

/** All that a process asks for. */
export type ProcessCommand =
  | Extract<PetCommand, { type: 'AdoptPet' | 'ReleasePet' }>
  | Extract<OrderCommand, { type: 'PlaceOrder' | 'ApproveOrder' | 'FailOrderPayment' }>
  | Extract<PaymentCommand, { type: 'RequestPayment' }>
  | PaymentRequest;
