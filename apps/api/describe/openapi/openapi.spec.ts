import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';
import { findShadowedRoutes } from '../../http/pipeline/routes.js';
import { scopesOf } from '../../http/admission/access.js';
import { OPERATIONS } from '../../operations.js';
import { referencesIn } from '../../testing/references.fixtures.js';
import { runningApi, type RunningApi } from '../../testing/running-api.fixtures.js';

type Content = { readonly schema: object; readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
type Response = { readonly $ref?: string; readonly content?: Readonly<Record<string, Content>> };
type OperationObject = {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
  readonly parameters: readonly { readonly name?: string }[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly callbacks?: Readonly<Record<string, Readonly<Record<string, Item>>>>;
};
type Item = Readonly<Record<string, OperationObject>>;
type Document = {
  readonly openapi: string;
  readonly jsonSchemaDialect: string;
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Item>>;
  readonly webhooks: Readonly<Record<string, Item>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: { readonly oauth2: { readonly flows: Record<string, { readonly scopes: object }> } };
  };
};

type JsonObject = Readonly<Record<string, unknown>>;

/** Returns every object inside a value. */
const objectsIn = (value: unknown): readonly JsonObject[] => {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value as JsonObject, ...inside];
};

const operationsIn = ({ paths }: Document): readonly [string, OperationObject][] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, OperationObject] => [`${method.toUpperCase()} ${path}`, operation]),
  );

let api: RunningApi;
const read = async (url: string): Promise<Document> => (await api.inject({ url })).json();

beforeAll(async () => {
  api = await runningApi();
});
afterAll(() => api.app.close());

const DOCUMENTS = ['/openapi.json', '/openapi-3.1.json'];

/** Proves rows of contract 42.6, 42.7, 42.16, 42.18 and 42.20. */
describe.each(DOCUMENTS)('%s', (url) => {
  let document: Document;
  beforeAll(async () => {
    document = await read(url);
  });

  it('is a valid OpenAPI document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('has no broken reference', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(50);
    for (const [path, target] of references) expect([path, target]).toEqual([path, expect.anything()]);
  });

  it('has no keyword except description beside a $ref', () => {
    const references = objectsIn(document).filter(({ $ref }) => typeof $ref === 'string');
    expect(references.length).toBeGreaterThan(50);
    for (const reference of references) expect(['$ref', 'description']).toEqual(expect.arrayContaining(Object.keys(reference)));
  });

  it('has no examples of parameters, because tools would send them', () => {
    const parameters = objectsIn(document).filter(({ in: location }) => typeof location === 'string');
    expect(parameters.length).toBeGreaterThan(10);
    expect(parameters.filter((parameter) => 'example' in parameter || 'examples' in parameter)).toEqual([]);
  });

  it('has only formats that code generators know', () => {
    const formats = new Set([...JSON.stringify(document).matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format));
    expect([...formats].sort()).toEqual(['binary', 'date', 'date-time', 'int32', 'uri', 'uuid']);
  });

  it('answers 304 while the document has not changed', async () => {
    const { headers } = await api.inject({ url });
    expect((await api.inject({ url, headers: { 'if-none-match': String(headers['etag']) } })).statusCode).toBe(304);
  });
});

describe('the OpenAPI document', () => {
  let document: Document;
  beforeAll(async () => {
    document = await read('/openapi.json');
  });

  it('has OpenAPI version 3.2.0, interface version 1.0.0 and JSON Schema 2020-12', () => {
    expect(document).toMatchObject({
      openapi: '3.2.0',
      info: { version: '1.0.0' },
      jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
      servers: [{ url: 'https://pets.test' }],
    });
  });

  it('has every route under /v1 that handles an operation, and no other route', () => {
    const shadowed = new Set(findShadowedRoutes(Object.values(OPERATIONS)).map(({ method, url }) => `${method} ${url}`));
    const registered = api.routes().filter((route) => / \/v1\//.test(route) && !shadowed.has(route));
    expect(
      operationsIn(document)
        .map(([route]) => route)
        .sort(),
    ).toEqual([...registered].sort());
    expect(registered).toHaveLength(Object.keys(OPERATIONS).length);
  });

  it('has the operation ids of the contract', () => {
    const named = Object.fromEntries(operationsIn(document).map(([route, { operationId }]) => [operationId, route]));
    expect(named).toMatchObject({
      getPet: 'GET /v1/pets/{id}',
      updatePet: 'PUT /v1/pets/{id}',
      deletePet: 'DELETE /v1/pets/{id}',
      createPet: 'POST /v1/pets',
      listPets: 'GET /v1/pets',
      searchPets: 'QUERY /v1/pets',
      createOrderPayment: 'POST /v1/orders/{id}/payment',
      getInventory: 'GET /v1/inventories',
      createOrder: 'POST /v1/orders',
      getOrder: 'GET /v1/orders/{id}',
      deleteOrder: 'DELETE /v1/orders/{id}',
      callbackOrder: 'POST /v1/orders/{id}',
    });
  });

  it('has every webhook event, and the callback under the operation that requests it', () => {
    const { webhooks, paths } = document;
    expect(Object.keys(webhooks)).toEqual(webhookContracts.map(({ eventType }) => eventType));
    for (const item of [
      ...Object.values(webhooks),
      paths['/v1/orders/{id}']?.['post']?.callbacks?.['orderChecked']?.['{$request.body#/callbackUrl}'],
    ]) {
      expect(item?.['post']?.parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      expect(item?.['post']?.responses).toHaveProperty('2XX');
    }
  });

  it('names for each operation the credentials that it needs under the documented access policy (contract 5.7, 5.9)', () => {
    const scopes = new Set(Object.values(document.components.securitySchemes.oauth2.flows).flatMap((flow) => Object.keys(flow.scopes)));
    for (const [, { operationId, security }] of operationsIn(document)) {
      const needed = OPERATIONS[operationId].access.documented;
      const named = typeof needed === 'object' ? scopesOf(needed) : [];
      const anyToken =
        needed === 'token' || needed === 'subject'
          ? ['bearerToken']
          : ['bearerAuth', ...(named.length > 0 ? named : ['']).map(() => 'oauth2')];
      expect([operationId, security.flatMap(Object.keys)]).toEqual([operationId, needed === 'nothing' ? [] : anyToken]);
      expect([operationId, security.flatMap(Object.values).flat()]).toEqual([operationId, named]);
      expect([operationId, named.filter((scope) => !scopes.has(scope))]).toEqual([operationId, []]);
    }
  });

  it('has the named schemas, responses and security schemes (contract 5.9, 25.3)', () => {
    const { schemas, responses, securitySchemes } = document.components;
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Pet', 'PetCollection', 'Order', 'Payment', 'Inventory', 'Links', 'Category', 'Tag', 'Problem']),
    );
    expect(schemas).toMatchObject({ BankCard: { title: 'Bank Card' }, BankAccount: { title: 'Bank Account' } });
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining([
        'BadRequest',
        'Unauthorized',
        'Forbidden',
        'NotFound',
        'UnprocessableEntity',
        'TooManyRequests',
        'InternalServerError',
      ]),
    );
    expect(Object.keys(securitySchemes)).toEqual(['bearerAuth', 'bearerToken', 'oauth2']);
  });

  it('has both forms of the payment source in payments and receipts', () => {
    const { Payment, Receipt, MaskedPaymentSource, MaskedBankCard, MaskedBankAccount } = document.components.schemas as Readonly<
      Record<string, JsonObject>
    >;
    const [card, account, source] = ['MaskedBankCard', 'MaskedBankAccount', 'MaskedPaymentSource'].map(
      (name) => `#/components/schemas/${name}`,
    );
    for (const schema of [Payment, Receipt]) expect(schema).toMatchObject({ properties: { source: { $ref: source } } });
    expect(MaskedPaymentSource).toMatchObject({
      oneOf: [{ $ref: card }, { $ref: account }],
      discriminator: { propertyName: 'object', mapping: { card, bank_account: account } },
    });
    const address = ['addressLine1', 'addressLine2', 'addressCity', 'addressCountry', 'addressPostCode'];
    expect(Object.keys(MaskedBankCard?.['properties'] ?? {})).toEqual(
      expect.arrayContaining(['object', 'name', 'number', 'brand', 'last4', 'expMonth', 'expYear', ...address]),
    );
    expect(Object.keys(MaskedBankAccount?.['properties'] ?? {})).toEqual(
      expect.arrayContaining(['object', 'name', 'number', 'sortCode', 'accountType', 'bankName', 'country']),
    );
    expect(MaskedBankCard?.['properties']).not.toHaveProperty('cvc');
  });

  it('has examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'https://pets.test/openapi.json', components: document.components });
    const callbacks = document.paths['/v1/orders/{id}']?.['post']?.callbacks ?? {};
    const received = [...Object.values(document.webhooks), ...Object.values(callbacks).flatMap((callback) => Object.values(callback))];
    const contents = [
      ...received.map((item) => item['post']?.requestBody?.content),
      ...operationsIn(document).flatMap(([, { requestBody, responses }]) => [
        requestBody?.content,
        ...Object.values(responses).map(({ content }) => content),
      ]),
      ...Object.values(document.components.responses).map(({ content }) => content),
    ].flatMap((content) => Object.values(content ?? {}));
    let checked = 0;
    for (const { schema, examples } of contents) {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://pets.test/openapi.json#/')) as object);
      // Uploads and images have no examples.
      for (const { value } of Object.values(examples ?? {})) {
        expect({ value, errors: (validate(value), validate.errors) }).toEqual({ value, errors: null });
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(100);
  });
});

describe('the OpenAPI 3.1 document', () => {
  it('differs from the 3.2 document only by its version, QUERY, the device flow and the schemas of events', async () => {
    const document = await read('/openapi-3.1.json');
    const expected = await read('/openapi.json');
    for (const item of Object.values(expected.paths)) delete (item as Record<string, unknown>)['query'];
    for (const { content } of operationsIn(expected).flatMap(([, { responses }]) => Object.values(responses)))
      delete (content?.['text/event-stream'] as { itemSchema?: object } | undefined)?.itemSchema;
    const { flows } = expected.components.securitySchemes.oauth2;
    delete flows['deviceAuthorization'];
    expect(document).toEqual({ ...expected, openapi: '3.1.0' });
    expect(operationsIn(document).some(([route]) => route.startsWith('QUERY'))).toBe(false);
  });
});
