import { RedeliverHandler, RedeliverSinceHandler, SendTestHandler } from './deliveries/delivery.handlers.js';
import { GetDeliveryHandler, GetRedeliveryHandler, ListDeliveriesHandler } from './deliveries/delivery.queries.js';
import { GetInventoryHandler } from './inventory/inventory.queries.js';
import { CreateOrderHandler } from './orders/create-order.handler.js';
import { DeleteOrderHandler, DeliverOrderHandler, ShipOrderHandler } from './orders/order.handlers.js';
import { RequestCallbackHandler } from './orders/request-callback.handler.js';
import { GetOrderHandler, ListOrdersHandler } from './orders/order.queries.js';
import { CreateOrderPaymentHandler } from './payments/create-payment.handler.js';
import { GetOrderPaymentHandler, GetReceiptHandler } from './payments/payment.queries.js';
import { PerformHandler } from './perform.js';
import { CreatePetHandler, DeletePetHandler, UpdatePetHandler } from './pets/pet.handlers.js';
import { GetPetHandler, ListPetsHandler, SearchPetsHandler } from './pets/pet.queries.js';
import { RotateSecretHandler } from './webhooks/rotate-secret.handler.js';
import { CreateWebhookHandler, DeleteWebhookHandler, UpdateWebhookHandler } from './webhooks/webhook.handlers.js';
import { FindObjectionHandler, GetCallbackPublicKeyHandler, GetWebhookHandler, ListWebhooksHandler } from './webhooks/webhook.queries.js';

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
  RequestCallbackHandler,
  GetOrderHandler,
  ListOrdersHandler,
  CreateOrderPaymentHandler,
  GetOrderPaymentHandler,
  GetReceiptHandler,
  GetInventoryHandler,
  CreateWebhookHandler,
  UpdateWebhookHandler,
  DeleteWebhookHandler,
  RotateSecretHandler,
  GetWebhookHandler,
  ListWebhooksHandler,
  FindObjectionHandler,
  GetCallbackPublicKeyHandler,
  SendTestHandler,
  RedeliverHandler,
  RedeliverSinceHandler,
  ListDeliveriesHandler,
  GetDeliveryHandler,
  GetRedeliveryHandler,
  PerformHandler,
];
