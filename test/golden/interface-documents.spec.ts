import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { breakingAsyncapiChanges } from './asyncapi-compatibility.js';
import { assertAccepted } from './golden-files.js';
import { acceptedDocuments, breakingInterfaceChanges, declaredDocuments, interfaceChanges } from './interface-documents.js';
import { breakingOpenapiChanges, OPEN_LISTS } from './openapi-compatibility.js';

const declared = declaredDocuments();
const accepted = acceptedDocuments();

type Members = Record<string, unknown>;
type Step = string | number;
const END = -1;

const memberAt = (document: JsonSchema, path: readonly Step[]): Members =>
  path.reduce<unknown>((place, step) => (place as Readonly<Record<Step, unknown>>)[step], document) as Members;

/**
 * Returns a copy of a document in which the member at `path` is `value`. If `value` is undefined, the member is removed.
 * If `path` ends with `END`, `value` is appended to the list at the path before `END`.
 */
const withMember = (document: JsonSchema, path: readonly Step[], value: unknown): JsonSchema => {
  const copy = structuredClone(document);
  const place = memberAt(copy, path.slice(0, -1));
  const last = path.at(-1) ?? '';
  expect(place).toBeDefined();
  if (Array.isArray(place) && last === END) place.push(value);
  else if (value !== undefined) place[last] = value;
  else if (Array.isArray(place)) place.splice(Number(last), 1);
  else delete place[last];
  expect(copy).not.toEqual(document);
  return copy;
};

/** Proves rows of contract 42.21. */
describe('the interface documents', () => {
  it('break no client of the accepted documents', () => expect(breakingInterfaceChanges(accepted, declared)).toEqual([]));

  it('are all accepted', () => interfaceChanges(declared).forEach(assertAccepted));

  it('cannot be accepted with a breaking change', () => {
    const openapi = withMember(declared.openapi, ['paths', '/v1/inventories'], undefined);
    expect(interfaceChanges({ ...declared, openapi })).toEqual([
      expect.objectContaining({
        file: 'interface/openapi.json',
        breaks: ['/openapi.json: operation GET /v1/inventories is removed. Clients rely on it: revert the change.'],
      }),
    ]);
  });
});

const schema = (...path: readonly Step[]) => ['components', 'schemas', ...path];
const operation = (path: string, method: string, ...rest: readonly Step[]) => ['paths', path, method, ...rest];
const PETS = '/v1/pets';
const ORDER = '/v1/orders/{id}';
const STRING = { type: 'string' };

describe('an open list', () => {
  it.each(OPEN_LISTS)('is text with known values: %s.%s', (name, property) => {
    const text = JSON.stringify(memberAt(declared.openapi, schema(name, 'properties', property)));
    expect(text).not.toContain('"enum"');
    expect(text).toContain('"x-extensible-enum":["');
  });
});

type Case = readonly [change: string, path: readonly Step[], value: unknown, message: string];

describe('a breaking change of /openapi.json (contract 28.3)', () => {
  const CASES: readonly Case[] = [
    ['removes an operation', operation(PETS, 'post'), undefined, 'operation POST /v1/pets is removed'],
    ['removes a path', ['paths', '/v1/inventories'], undefined, 'operation GET /v1/inventories is removed'],
    ['renames an operation', operation(PETS, 'get', 'operationId'), 'findPets', 'operationId is "findPets"; it was "listPets"'],
    ['requires a credential', operation(PETS, 'get', 'security'), [{ bearerAuth: [] }], 'GET /v1/pets security is [{"bearerAuth":[]}]'],
    ['removes a query parameter', operation(PETS, 'get', 'parameters', 3), undefined, 'GET /v1/pets parameter query status is removed'],
    ['requires a parameter', ['components', 'parameters', 'tenant', 'required'], true, 'parameter header X-Tenant-ID is now required'],
    [
      'adds a required parameter',
      operation(PETS, 'get', 'parameters', END),
      { name: 'shop', in: 'query', required: true, schema: STRING },
      'GET /v1/pets parameter query shop is new and required',
    ],
    ['removes a request field', schema('PetRequest', 'properties', 'breed'), undefined, 'POST /v1/pets body.breed is no longer accepted'],
    ['requires a request field', schema('PetRequest', 'required', END), 'breed', 'POST /v1/pets body.breed is now required'],
    ['adds a required request field', schema('OrderRequest', 'required', END), 'shop', 'POST /v1/orders body.shop is now required'],
    [
      'changes the type of a request field',
      schema('PetRequest', 'properties', 'ageMonths', 'type'),
      'string',
      'body.ageMonths no longer accepts integer',
    ],
    ['narrows a request field', schema('PetRequest', 'properties', 'breed', 'maxLength'), 50, 'body.breed has maxLength 50; it was 100'],
    [
      'limits a request field',
      schema('PetRequest', 'properties', 'breed', 'pattern'),
      '^x$',
      'body.breed has pattern "^x$"; it had no pattern',
    ],
    [
      'lists the values of a request field',
      schema('PetRequest', 'properties', 'color', 'enum'),
      ['red'],
      'body.color accepts only ["red"]',
    ],
    [
      'removes a value of a request',
      schema('PetRequest', 'properties', 'species', 'enum', 0),
      undefined,
      'body.species no longer accepts "DOG"',
    ],
    [
      'removes a value of a query',
      schema('PageQuery', 'properties', 'limit', 'maximum'),
      50,
      'body.pagination.limit has maximum 50; it was 100',
    ],
    ['changes a default', schema('OrderRequest', 'properties', 'quantity', 'x-default'), 2, 'body.quantity has default 2; it was 1'],
    ['removes a form of a request', schema('PaymentSource', 'oneOf', 1), undefined, 'body.source no longer accepts form 2'],
    ['removes the body of a request', operation(PETS, 'post', 'requestBody'), undefined, 'POST /v1/pets body is no longer accepted'],
    [
      'requires a body',
      operation('/v1/orders/{id}/shipment', 'post', 'requestBody'),
      { required: true, content: {} },
      'POST /v1/orders/{id}/shipment body is new and required',
    ],
    ['removes a status', operation(ORDER, 'get', 'responses', '404'), undefined, 'GET /v1/orders/{id} status 404 is removed'],
    ['adds a success', operation(ORDER, 'get', 'responses', '202'), {}, 'GET /v1/orders/{id} status 202 is new'],
    ['removes a response header', operation(ORDER, 'get', 'responses', '200', 'headers', 'ETag'), undefined, '200 header ETag is removed'],
    [
      'removes a response field',
      schema('Order', 'properties', 'shipDate'),
      undefined,
      'GET /v1/orders/{id} 200 body.shipDate is no longer published',
    ],
    ['makes a response field optional', schema('Order', 'required', 0), undefined, 'is no longer required'],
    [
      'changes the type of a response field',
      schema('Order', 'properties', 'quantity', 'type'),
      'string',
      '200 body.quantity has type "string"',
    ],
    [
      'adds a value to a closed list',
      schema('Order', 'properties', 'status', 'enum', END),
      'lost',
      '200 body.status has the new value "lost"',
    ],
    [
      'removes a response',
      operation(PETS, 'get', 'responses', '200', 'content'),
      undefined,
      'GET /v1/pets 200 application/json is removed',
    ],
    ['removes a schema', schema('Category'), undefined, 'schema Category is removed'],
    ['removes a webhook', ['webhooks', 'pet.adopted'], undefined, 'webhook POST pet.adopted is removed'],
    [
      'removes a field of a webhook',
      schema('PetAdoptedWebhookData', 'properties', 'pet'),
      undefined,
      'POST pet.adopted body.data.pet is no longer published',
    ],
    [
      'removes a callback',
      operation(ORDER, 'post', 'callbacks'),
      undefined,
      'POST /v1/orders/{id} callback POST {$request.body#/callbackUrl} is removed',
    ],
    ['removes a security scheme', ['components', 'securitySchemes', 'bearerToken'], undefined, 'security scheme bearerToken is removed'],
    [
      'removes a scope',
      ['components', 'securitySchemes', 'oauth2', 'flows', 'authorizationCode', 'scopes', 'write:pets'],
      undefined,
      'oauth2 authorizationCode scope write:pets is removed',
    ],
  ];

  it.each(CASES)('%s', (_, path, value, message) => {
    const openapi = withMember(declared.openapi, path, value);
    expect(breakingOpenapiChanges(declared.openapi, openapi).join('\n')).toContain(message);
  });
});

describe('a compatible change of /openapi.json (contract 28.2)', () => {
  const CASES: readonly (readonly [string, readonly Step[], unknown])[] = [
    ['adds an operation', ['paths', '/v1/shops'], { get: { operationId: 'listShops', responses: {} } }],
    ['adds an optional parameter', operation(PETS, 'get', 'parameters', END), { name: 'shop', in: 'query', schema: STRING }],
    ['adds an optional request field', schema('PetRequest', 'properties', 'shop'), STRING],
    ['widens a request field', schema('PetRequest', 'properties', 'breed', 'maxLength'), 200],
    ['adds a value to requests', schema('PetRequest', 'properties', 'species', 'enum', END), 'FISH'],
    ['makes a request field optional', schema('OrderRequest', 'required', 0), undefined],
    ['adds a response field', schema('Order', 'properties', 'shop'), STRING],
    ['adds a response header', operation(ORDER, 'get', 'responses', '200', 'headers', 'X-Shop'), { schema: STRING }],
    ['adds an error', operation(ORDER, 'get', 'responses', '409'), { content: {} }],
    ['adds a value to an open list (contract 28.4)', schema('FieldError', 'properties', 'code', 'x-extensible-enum', END), 'too_hot'],
    ['adds a webhook', ['webhooks', 'pet.sold'], { post: { operationId: 'receivePetSold', responses: {} } }],
    ['adds a schema', schema('Shop'), { type: 'object' }],
    ['announces the end of an operation (contract 28.6)', operation(PETS, 'get', 'deprecated'), true],
  ];

  it.each(CASES)('%s', (_, path, value) => {
    const openapi = withMember(declared.openapi, path, value);
    expect(breakingOpenapiChanges(declared.openapi, openapi)).toEqual([]);
  });
});

const PLACED = 'petstore.order.placed.v1';

describe('a breaking change of /asyncapi.json (contract 28.7)', () => {
  const CASES: readonly Case[] = [
    ['removes a channel', ['channels', 'pets'], undefined, 'channel pets is removed'],
    ['changes the address of a channel', ['channels', 'pets', 'address'], 'pets', 'pets address is "pets"; it was "petstore.pets.v1"'],
    ['changes the partitions', ['channels', 'pets', 'bindings', 'kafka', 'partitions'], 12, 'pets partitions is 12; it was 6'],
    [
      'removes a message of a channel',
      ['channels', 'orders', 'messages', 'OrderPlaced'],
      undefined,
      'orders message OrderPlaced is removed',
    ],
    ['removes a message', ['components', 'messages', 'webhook.pet.adopted'], undefined, 'message webhook.pet.adopted is removed'],
    ['renames a message', ['components', 'messages', PLACED, 'name'], 'placed', `OrderPlaced name is "placed"; it was "${PLACED}"`],
    [
      'removes a field',
      schema('OrderPlacedData', 'properties', 'shipDate'),
      undefined,
      'OrderPlaced payload.shipDate is no longer published',
    ],
    ['changes a type', schema('OrderPlacedData', 'properties', 'quantity', 'type'), 'string', 'payload.quantity has type "string"'],
    ['makes a field optional', schema('OrderPlacedData', 'required', 0), undefined, 'is no longer required'],
    ['adds a value', schema('Order', 'properties', 'status', 'enum', END), 'lost', 'payload.data.order.status has the new value "lost"'],
    [
      'removes a header',
      schema('OrderPlacedHeaders', 'properties', 'ce_tenantid'),
      undefined,
      'headers.ce_tenantid is no longer published',
    ],
    ['removes an operation', ['operations', 'sendWebhook'], undefined, 'operation sendWebhook is removed'],
    ['changes an operation', ['operations', 'sendWebhook', 'action'], 'receive', 'operation sendWebhook action is "receive"'],
    ['removes a schema', schema('Adopter'), undefined, 'schema Adopter is removed'],
  ];

  it.each(CASES)('%s', (_, path, value, message) => {
    const asyncapi = withMember(declared.asyncapi, path, value);
    expect(breakingAsyncapiChanges(declared.asyncapi, asyncapi).join('\n')).toContain(message);
  });
});

describe('a compatible change of /asyncapi.json', () => {
  const CASES: readonly (readonly [string, readonly Step[], unknown])[] = [
    ['adds a channel', ['channels', 'shops'], { address: 'petstore.shops.v1', messages: {} }],
    ['adds a message', ['channels', 'orders', 'messages', 'OrderLost'], { name: 'petstore.order.lost.v1' }],
    ['adds a field', schema('OrderPlacedData', 'properties', 'shop'), STRING],
    ['requires a field', schema('OrderPlacedData', 'required', END), 'shipDate'],
    ['changes the replicas', ['channels', 'pets', 'bindings', 'kafka', 'replicas'], 5],
    ['adds an operation', ['operations', 'publishShops'], { action: 'send' }],
  ];

  it.each(CASES)('%s', (_, path, value) => {
    const asyncapi = withMember(declared.asyncapi, path, value);
    expect(breakingAsyncapiChanges(declared.asyncapi, asyncapi)).toEqual([]);
  });
});
