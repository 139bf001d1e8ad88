import type { OrderCommand } from '../domain/orders/order.commands.js';
import type { PaymentCommand, GatewayCommand } from '../domain/payments/payment.commands.js';
import type { ForgetPerson } from '../domain/users/user.commands.js';
import type { PetCommand } from '../domain/pets/pet.commands.js';

/** The commands that domain processes send. */
export type ProcessCommand =
  | Extract<PetCommand, { type: 'AdoptPet' | 'ReleasePet' }>
  | Extract<OrderCommand, { type: 'PlaceOrder' | 'ApproveOrder' | 'FailOrderPayment' }>
  | Extract<PaymentCommand, { type: 'RequestPayment' }>
  | ForgetPerson
  | GatewayCommand;
