import type { OrderEvent } from './orders/order.events.js';
import type { PetEvent } from './pets/pet.events.js';
export type DomainEvent = OrderEvent | PetEvent;
