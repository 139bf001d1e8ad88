import { INVENTORY_SCHEMA } from '../../inventories/inventory.dto.js';
import { NewOrderPayment, OrderPayment, Receipt } from '../../payments/payment.dto.js';
import { BankAccount, BankCard, GuideBankAccount } from '../../payments/payment-source.dto.js';
import { Links, PageQuery, Pagination } from '../../http/collection.dto.js';
import type { Dto } from '../../http/validation/metadata.js';
import { dtoSchemas, type JsonSchema } from '../../http/validation/schemas.js';
import { ORDER_CALLBACK_ACCEPTED_SCHEMA, OrderCallbackRequest } from '../../orders/order-callback.dto.js';
import { NewOrder, Order, OrderCollection } from '../../orders/order.dto.js';
import { PetCollection, PetSearchResult } from '../../pets/pet-collection.dto.js';
import { MedicalInfo, NewPet, Pet, PetReplacement } from '../../pets/pet.dto.js';
import { AgeRange, Compatibility, MedicalCriteria, PetSearch, SearchCriteria, SearchSort } from '../../pets/pet-search.dto.js';
import {
  DeliveryAttempt,
  DeliveryRequest,
  NewRedelivery,
  WebhookDelivery,
  WebhookDeliveryCollection,
  WebhookRedelivery,
} from '../../webhooks/delivery.dto.js';
import {
  CallbackPublicKey,
  NewWebhook,
  RegisteredWebhook,
  Webhook,
  WebhookCollection,
  WebhookReplacement,
  WebhookSecret,
} from '../../webhooks/webhook.dto.js';
import { PROBLEM_SCHEMAS } from './responses.js';

/** The classes that are shown, with the titles they go by in the contract where those are not their names. */
const SHOWN: readonly (readonly [Dto, string, string?])[] = [
  [Pet, 'A pet'],
  [NewPet, 'A pet to be listed'],
  [PetReplacement, 'A pet as it is to be from now on'],
  [MedicalInfo, 'What is known of a pet’s health'],
  [PetCollection, 'A page of pets', 'Pet Collection'],
  [PetSearch, 'A search for pets'],
  [SearchCriteria, 'What pets must meet, all of it'],
  [AgeRange, 'Ages in months, both ends included'],
  [Compatibility, 'Whom a pet gets along with'],
  [MedicalCriteria, 'What must be true of a pet’s health'],
  [SearchSort, 'In which order pets come'],
  [PageQuery, 'Which page'],
  [PetSearchResult, 'A page of pets found'],
  [Pagination, 'Where a page stands in its collection'],
  [Links, 'Links from a page to its neighbours, filters kept'],
  [Order, 'An order'],
  [NewOrder, 'An order to be placed'],
  [OrderCollection, 'A page of orders'],
  [OrderPayment, 'A payment of an order', 'Order Payment'],
  [NewOrderPayment, 'A payment to be made'],
  [BankCard, 'A card to pay with', 'Bank Card'],
  [BankAccount, 'A bank account to pay with', 'Bank Account'],
  [GuideBankAccount, 'A bank account as the guide writes it'],
  [Receipt, 'The proof that an order was paid'],
  [OrderCallbackRequest, 'A request for an order callback'],
  [Webhook, 'A webhook endpoint'],
  [NewWebhook, 'A webhook endpoint to be registered'],
  [WebhookReplacement, 'A webhook endpoint as it is to be from now on'],
  [RegisteredWebhook, 'A webhook endpoint just registered, with its secret'],
  [WebhookCollection, 'A page of webhook endpoints'],
  [WebhookSecret, 'A webhook endpoint’s new secret'],
  [CallbackPublicKey, 'The key that callbacks are checked with'],
  [WebhookDelivery, 'An event on its way to a webhook endpoint, and what came of it'],
  [DeliveryRequest, 'What is posted to a webhook endpoint'],
  [DeliveryAttempt, 'One time that a delivery was tried'],
  [WebhookDeliveryCollection, 'A page of deliveries'],
  [NewRedelivery, 'A stretch of time to be sent once more'],
  [WebhookRedelivery, 'How far a redelivery has come'],
];

/** Formats that only this service knows are no use to others: their patterns say enough. */
const OWN_FORMATS: ReadonlySet<unknown> = new Set(['card-number', 'unicode']);

/** The named schemas. */
export const schemas = (): Readonly<Record<string, object>> => {
  const known = dtoSchemas();
  const shown = SHOWN.map(([{ name }, description, title]): [string, object] => {
    const schema = known[name];
    if (!schema) throw new Error(`${name} has no schema`);
    return [name, { ...(title !== undefined && { title }), description, ...published(schema) }];
  });
  return {
    ...Object.fromEntries(shown),
    Inventory: INVENTORY_SCHEMA,
    OrderCallbackAccepted: ORDER_CALLBACK_ACCEPTED_SCHEMA,
    ...PROBLEM_SCHEMAS,
  };
};

/** A schema without formats of our own. */
export const published = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([key, value]) => (key === 'format' && OWN_FORMATS.has(value) ? [] : [[key, publishedValue(value)]])),
  );

const publishedValue = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? published(value as JsonSchema) : value;
