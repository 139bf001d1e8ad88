import { GetInventoryHandler } from './inventory/inventory.queries.js';
import { CreateOrderHandler } from './orders/create-order.handler.js';
import { DeleteOrderHandler, DeliverOrderHandler, ShipOrderHandler } from './orders/order.handlers.js';
import { GetOrderHandler, ListOrdersHandler } from './orders/order.queries.js';
import { CreateOrderPaymentHandler } from './payments/create-payment.handler.js';
import { GetOrderPaymentHandler, GetReceiptHandler } from './payments/payment.queries.js';
import { PerformHandler } from './perform.js';
import { CreatePetHandler, DeletePetHandler, UpdatePetHandler } from './pets/pet.handlers.js';
import { GetPetHandler, ListPetsHandler, SearchPetsHandler } from './pets/pet.queries.js';

/** Who answers what: every command and query handler, for api and worker alike. */
export const HANDLERS = [
  CreatePetHandler,
  UpdatePetHandler,
  DeletePetHandler,
  GetPetHandler,
  ListPetsHandler,
  SearchPetsHandler,
  CreateOrderHandler,
  DeleteOrderHandler,
  ShipOrderHandler,
  DeliverOrderHandler,
  GetOrderHandler,
  ListOrdersHandler,
  CreateOrderPaymentHandler,
  GetOrderPaymentHandler,
  GetReceiptHandler,
  GetInventoryHandler,
  PerformHandler,
];
