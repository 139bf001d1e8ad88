import { describe, expect, it } from '@jest/globals';
import { openapiDocument } from '../../apps/api/describe/openapi/document.js';

type Schema = {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: object;
  readonly additionalProperties?: boolean;
};
type Parameter = { readonly $ref?: string; readonly name?: string; readonly in?: string; readonly schema?: object };
type Response = { readonly headers?: object; readonly content?: object };
type Declared = {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly security: readonly object[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, Response>>;
  readonly callbacks?: object;
};
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Declared>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: object };
};

const { paths, components } = JSON.parse(JSON.stringify(openapiDocument('https://pets.test'))) as Document;

const TEXT = { type: 'string' };
const UUID = { type: 'string', format: 'uuid' };
const TIME = { type: 'string', format: 'date-time' };
const LINK = { type: 'string', format: 'uri' };
const FLAG = { type: 'boolean' };
const INTEGER = { type: 'integer' };
const COUNT = { type: 'integer', format: 'int32' };
const ageOrMore = { type: 'integer', minimum: 0 };
const oneOf = (...values: readonly string[]): object => ({ type: 'string', enum: values });
const oneOfAtLeast = (...values: readonly string[]): object => ({ type: 'string', enum: expect.arrayContaining([...values]) as unknown });
const constant = (value: string): object => ({ type: 'string', enum: [value] });
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const list = (items: object): object => ({ type: 'array', items });
/** An amount with two decimals. */
const MONEY = { type: 'string', pattern: expect.stringContaining(String.raw`\.\d{2}$`) as unknown };
const CODE = { enum: expect.arrayContaining(['USD', 'EUR']) as unknown };
const COUNTRY = { type: 'string', pattern: '^[a-z]{2}$' };

const SPECIES = oneOf('DOG', 'CAT', 'RABBIT', 'BIRD', 'REPTILE', 'OTHER');
const SIZE = oneOf('SMALL', 'MEDIUM', 'LARGE');
const PET_STATUS = oneOf('AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE');
const PAGE = { type: 'integer', minimum: 1 };
const LIMIT = { type: 'integer', minimum: 1, maximum: 100 };

const PET = {
  ...{ species: SPECIES, name: TEXT, breed: TEXT, ageMonths: ageOrMore, size: SIZE, color: TEXT, gender: oneOfAtLeast('MALE') },
  ...{ goodWithKids: FLAG, price: MONEY, currency: CODE, description: TEXT, status: PET_STATUS, photos: list(LINK) },
  medicalInfo: ref('MedicalInfo'),
};
const REMOVABLE = { type: ['string', 'null'] };
const PERSON = { username: TEXT, firstName: TEXT, lastName: TEXT, email: TEXT, phone: TEXT };
const CARD = {
  ...{ object: constant('card'), name: TEXT, number: TEXT, expMonth: INTEGER, expYear: INTEGER },
  ...{ addressLine1: TEXT, addressLine2: TEXT, addressCity: TEXT, addressPostCode: TEXT },
};
const ACCOUNT = { object: constant('bank_account'), name: TEXT, number: TEXT, sortCode: TEXT, accountType: TEXT, bankName: TEXT };
const ADVISOR = oneOf('PET_ADVISOR_1', 'PET_ADVISOR_TURBO');
const ALL = { data: list(ref('Pet')), pagination: ref('Pagination') };

/** The published schemas: their required members, and all their members. Responses mask the `number` of a card or an account. */
const SCHEMAS: readonly (readonly [name: string, required: readonly string[], members: object])[] = [
  [
    'Pet',
    ['id', 'name', 'species', 'ageMonths', 'status'],
    { ...PET, currency: { type: 'string' }, id: UUID, createdAt: TIME, updatedAt: TIME, tenantId: UUID },
  ],
  ['PetRequest', [], PET],
  ['PetReplacement', ['status'], PET],
  ['MedicalInfo', [], { spayedNeutered: FLAG, vaccinated: FLAG, microchipped: FLAG, specialNeeds: FLAG, healthNotes: TEXT }],
  ['PetCollection', ['data', 'pagination'], { ...ALL, links: ref('Links') }],
  ['Pagination', [], { page: INTEGER, limit: INTEGER, totalItems: INTEGER, totalPages: INTEGER }],
  ['Links', [], { self: LINK, first: LINK, last: LINK, next: { format: 'uri' }, prev: { type: ['string', 'null'], format: 'uri' } }],
  ['User', ['id', 'createdAt', 'updatedAt'], { ...PERSON, id: UUID, createdAt: TIME, updatedAt: TIME }],
  ['UserRequest', [], { ...PERSON, password: TEXT }],
  // In a change, null removes the value of an optional field.
  ['UserChanges', [], { ...PERSON, firstName: REMOVABLE, lastName: REMOVABLE, phone: REMOVABLE, password: TEXT }],
  [
    'Order',
    ['id'],
    {
      ...{ id: UUID, petId: UUID, userId: TEXT, quantity: INTEGER, shipDate: { type: 'string', format: 'date' } },
      ...{ status: oneOfAtLeast('placed', 'approved'), complete: FLAG },
    },
  ],
  ['OrderRequest', ['petId'], { petId: UUID, userId: TEXT, quantity: INTEGER, shipDate: { type: 'string', format: 'date' } }],
  [
    'Payment',
    ['id', 'status'],
    { id: UUID, amount: MONEY, currency: TEXT, source: {}, status: oneOf('processing', 'succeeded', 'failed') },
  ],
  ['PaymentRequest', ['amount', 'currency', 'source'], { amount: MONEY, currency: CODE, source: {} }],
  ['BankCard', ['object'], { ...CARD, addressCountry: COUNTRY, cvc: { type: 'string', writeOnly: true } }],
  ['MaskedBankCard', ['object', 'number'], { ...CARD, addressCountry: TEXT }],
  ['PaymentSource', ['object'], { object: TEXT }],
  ['BankAccount', ['object'], { ...ACCOUNT, country: COUNTRY }],
  ['MaskedBankAccount', ['object', 'number'], { ...ACCOUNT, country: TEXT }],
  ['ApiResponse', ['code', 'type', 'message'], { code: INTEGER, type: TEXT, message: TEXT }],
  ['Inventory', [], { AVAILABLE: COUNT, PENDING: COUNT, ADOPTED: COUNT, NOT_AVAILABLE: COUNT, placed: COUNT, approved: COUNT }],
  [
    'ChatRequest',
    ['messages'],
    {
      messages: { type: 'array', minItems: 1, items: ref('ChatMessage') },
      model: { ...ADVISOR, 'x-default': 'PET_ADVISOR_1' },
      stream: { type: 'boolean', 'x-default': true },
      maxTokens: { type: 'integer', minimum: 1, maximum: 4_096, 'x-default': 1_024 },
      temperature: { type: 'number', minimum: 0, maximum: 2, 'x-default': 1 },
    },
  ],
  ['ChatMessage', ['role', 'content'], { role: oneOf('SYSTEM', 'USER', 'ASSISTANT'), content: TEXT }],
  [
    'ChatCompletion',
    ['id', 'object', 'created', 'model', 'choices', 'usage'],
    {
      ...{ id: { pattern: '^chatcmpl_[a-z0-9]+$' }, object: constant('chat.completion'), created: INTEGER, model: TEXT },
      ...{ choices: list(ref('ChatChoice')), usage: ref('ChatUsage') },
    },
  ],
  ['ChatChoice', [], { index: INTEGER, message: ref('ChatAnswer'), finishReason: oneOf('STOP', 'LENGTH', 'CONTENT_FILTER') }],
  ['ChatAnswer', [], { role: constant('assistant'), content: TEXT }],
  ['ChatUsage', [], { promptTokens: INTEGER, completionTokens: INTEGER, totalTokens: INTEGER }],
  [
    'ChatCompletionChunk',
    [],
    {
      ...{ id: TEXT, object: { const: 'chat.completion.chunk' }, created: INTEGER, model: TEXT },
      choices: list({ properties: { index: INTEGER, delta: { properties: { role: TEXT, content: TEXT } }, finish_reason: {} } }),
    },
  ],
  ['PetSearch', [], { criteria: ref('SearchCriteria'), sort: ref('SearchSort'), pagination: ref('PageQuery') }],
  [
    'SearchCriteria',
    [],
    {
      ...{ species: list(SPECIES), ageRange: ref('AgeRange'), size: list(SIZE) },
      ...{ compatibility: ref('Compatibility'), medical: ref('MedicalCriteria') },
    },
  ],
  ['AgeRange', [], { min: ageOrMore, max: ageOrMore }],
  ['Compatibility', [], { goodWithKids: FLAG }],
  ['MedicalCriteria', [], { vaccinated: FLAG, spayedNeutered: FLAG, specialNeeds: FLAG }],
  ['SearchSort', [], { field: oneOf('ageMonths', 'price'), order: oneOfAtLeast('ASC', 'DESC') }],
  ['PageQuery', [], { page: { ...PAGE, 'x-default': 1 }, limit: { ...LIMIT, 'x-default': 20 } }],
  ['PetSearchResult', ['data', 'pagination'], ALL],
  [
    'OrderCallbackRequest',
    ['amount', 'currency', 'timestamp', 'callbackUrl'],
    { amount: MONEY, currency: CODE, timestamp: TIME, callbackUrl: LINK },
  ],
  [
    'OrderCallback',
    ['requestId', 'orderId', 'status', 'timestamp'],
    { requestId: UUID, orderId: TEXT, status: oneOf('COMPLETED', 'FAILED'), result: {}, timestamp: TIME },
  ],
  ['ImageUpload', [], { file: { type: 'string', format: 'binary' }, additionalMetadata: TEXT }],
  [
    'Problem',
    [],
    { type: LINK, title: TEXT, status: INTEGER, detail: TEXT, instance: TEXT, errors: { type: 'array', items: ref('FieldError') } },
  ],
  ['Category', [], { id: INTEGER, name: TEXT }],
  ['Tag', [], { id: INTEGER, name: TEXT }],
  [
    'FieldError',
    [],
    {
      field: TEXT,
      message: TEXT,
      code: { ...TEXT, 'x-extensible-enum': expect.arrayContaining(['invalid_type', 'invalid_enum', 'INVALID_FORMAT']) as unknown },
    },
  ],
];

/** Schemas of requests that allow no property beside the listed ones. Those of responses are open (contract 28.2). */
const CLOSED = ['PetRequest', 'PetReplacement', 'ChatRequest', 'ChatMessage'];
/** Schemas whose required members are exactly the published ones. */
const EXACT = ['ChatRequest', 'ChatMessage', 'PetCollection', 'PetSearchResult', 'OrderCallbackRequest'];

const BEARER = [{ bearerAuth: [] }, { oauth2: [] }];
const staff = (scope: string): readonly object[] => [{ bearerAuth: [] }, { oauth2: [scope] }];

/** The published operations: their credentials, the status of success and those of errors. `updateUser` needs a token. */
const OPERATIONS: readonly (readonly [id: string, route: string, security: readonly object[], success: string, errors: string])[] = [
  ['getPet', 'GET /v1/pets/{id}', [], '200', '400 404 429'],
  ['updatePet', 'PUT /v1/pets/{id}', staff('write:pets'), '200', '400 401 403 404 422 429'],
  ['deletePet', 'DELETE /v1/pets/{id}', staff('write:pets'), '204', '400 401 403 404 429'],
  ['createPet', 'POST /v1/pets', staff('write:pets'), '201', '400 401 422 429'],
  ['listPets', 'GET /v1/pets', [], '200', '400 422 429'],
  ['searchPets', 'QUERY /v1/pets', [], '200', '400 429'],
  ['uploadPetPhoto', 'POST /v1/pets/{id}/images', staff('write:pets'), '201', '401 404'],
  ['createChatCompletion', 'POST /v1/chat/completions', staff('chat:write'), '201', '400 401 422 429'],
  ['createOrderPayment', 'POST /v1/orders/{id}/payment', [], '201', '400 404 422'],
  ['getInventory', 'GET /v1/inventories', [{ bearerToken: [] }], '200', ''],
  ['createOrder', 'POST /v1/orders', [], '201', '400 404 422'],
  ['getOrder', 'GET /v1/orders/{id}', [], '200', '400 404'],
  ['deleteOrder', 'DELETE /v1/orders/{id}', [], '204', '400 404'],
  ['callbackOrder', 'POST /v1/orders/{id}', [], '201', '400 404'],
  ['createUser', 'POST /v1/users', [], '201', '400 422 500'],
  ['updateUser', 'PUT /v1/users/{id}', BEARER, '200', '400 404 422'],
  ['getUserById', 'GET /v1/users/{id}', [], '200', '400 404'],
];

const declaredAt = (route: string): Declared => {
  const [method = '', path = ''] = route.split(' ');
  const declared = paths[path]?.[method.toLowerCase()];
  if (!declared) throw new Error(`/openapi.json has no ${route}`);
  return declared;
};
const queryOf = (route: string): object =>
  Object.fromEntries(
    declaredAt(route).parameters.flatMap(({ in: place, name = '', schema }) => (place === 'query' ? [[name, schema]] : [])),
  );

/**
 * Proves contract 5.6, contract 5.9 and contract 28.3 for the interface that was published before the service existed.
 * Proves rows of contract 42.2, 42.3, 42.4, 42.6, 42.7, 42.10, 42.11, 42.12, 42.13, 42.14, 42.16, 42.17, 42.18 and 42.19.
 */
describe('/openapi.json', () => {
  it.each(OPERATIONS)('has the published operation %s: %s', (id, route, security, success, errors) => {
    const declared = declaredAt(route);
    expect([declared.operationId, declared.security]).toEqual([id, security]);
    const statuses = Object.keys(declared.responses);
    expect(statuses.filter((status) => status.startsWith('2'))).toEqual([success]);
    expect(statuses).toEqual(expect.arrayContaining(errors.split(' ').filter(Boolean)));
    expect(declared.parameters).toContainEqual({ $ref: '#/components/parameters/tenant' });
  });

  it.each(SCHEMAS)('has the published members of %s', (name, required, members) => {
    const { properties, ...schema } = components.schemas[name] ?? {};
    expect(properties).toMatchObject(members);
    expect(schema.required ?? []).toEqual(expect.arrayContaining([...required]));
    if (EXACT.includes(name)) expect(schema.required?.toSorted()).toEqual(required.toSorted());
    if (CLOSED.includes(name)) expect(schema.additionalProperties).toBe(false);
  });

  it('has the published parameters of lists, with their bounds and defaults', () => {
    expect(queryOf('GET /v1/pets')).toMatchObject({
      ...{ species: SPECIES, status: { ...oneOf('AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE', 'ALL'), default: 'AVAILABLE' } },
      ...{
        ageMin: ageOrMore,
        ageMax: ageOrMore,
        size: SIZE,
        goodWithKids: FLAG,
        page: { ...PAGE, default: 1 },
        limit: { ...LIMIT, default: 20 },
      },
    });
    const status = declaredAt('GET /v1/inventories').parameters.find(({ name }) => name === 'status');
    // The style `form` without `explode` separates values by commas.
    expect(status).toMatchObject({ in: 'query', style: 'form', explode: false, schema: { type: 'array', items: TEXT } });
  });

  it('has the published media types of uploads and chats', () => {
    expect(declaredAt('POST /v1/pets/{id}/images').requestBody?.content).toMatchObject({
      'multipart/form-data': { schema: ref('ImageUpload') },
    });
    expect(Object.keys(declaredAt('POST /v1/chat/completions').responses['201']?.content ?? {})).toEqual([
      'application/json',
      'text/event-stream',
    ]);
  });

  it('has RateLimit headers in the success of every operation on pets', () => {
    for (const [id, route, , success] of OPERATIONS.filter(([, at]) => at.includes('/v1/pets')))
      expect([id, declaredAt(route).responses[success]?.headers]).toEqual([
        id,
        expect.objectContaining(
          Object.fromEntries(
            ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
          ),
        ),
      ]);
  });

  it('has the published members of an order callback', () => {
    expect(declaredAt('POST /v1/orders/{id}').callbacks).toMatchObject({
      orderChecked: {
        '{$request.body#/callbackUrl}': {
          post: { requestBody: { content: { 'application/json': { schema: ref('OrderCallback') } } } },
        },
      },
    });
  });

  it('has the published flows of OAuth 2.0, their addresses and their scopes', () => {
    const scopes = { 'write:pets': expect.any(String) as unknown, 'read:pets': expect.any(String) as unknown };
    const common = {
      tokenUrl: 'https://pets.test/oauth/token',
      refreshUrl: 'https://pets.test/oauth/refresh',
      scopes: { ...scopes, 'chat:write': expect.any(String) as unknown },
    };
    expect(components.securitySchemes).toMatchObject({
      bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      oauth2: {
        flows: {
          authorizationCode: { ...common, authorizationUrl: 'https://pets.test/oauth/authorize' },
          deviceAuthorization: { ...common, deviceAuthorizationUrl: 'https://pets.test/oauth/device/authorize' },
        },
      },
    });
  });
});
