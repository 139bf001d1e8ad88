import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';
import { PROBLEMS } from '../../http/problems/problem-kinds.js';
import { shadowedRoutes } from '../../http/pipeline/routes.js';
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
    readonly securitySchemes: object;
  };
};

describe('the interface description', () => {
  let api: RunningApi;
  let document: Document;

  beforeAll(async () => {
    api = await runningApi();
    document = (await api.inject({ url: '/openapi.json' })).json();
  });
  afterAll(() => api.app.close());

  const operations = (): readonly [string, OperationObject][] =>
    Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]): [string, OperationObject] => [`${method.toUpperCase()} ${path}`, operation]),
    );

  it('is OpenAPI 3.2.0 of interface version 1.0.0, with JSON Schema 2020-12', () => {
    expect(document).toMatchObject({
      openapi: '3.2.0',
      info: { version: '1.0.0' },
      jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
      servers: [{ url: 'https://pets.test' }],
    });
  });

  it('is valid', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('has every route under /v1, and no other', () => {
    const answered405 = new Set(shadowedRoutes(Object.values(OPERATIONS)).map(({ method, url }) => `${method} ${url}`));
    const registered = api.routes().filter((route) => / \/v1\//.test(route) && !answered405.has(route));
    expect(
      operations()
        .map(([route]) => route)
        .sort(),
    ).toEqual([...registered].sort());
    expect(registered).toHaveLength(Object.keys(OPERATIONS).length);
  });

  it('names its operations as the contract does', () => {
    const named = Object.fromEntries(operations().map(([route, { operationId }]) => [operationId, route]));
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

  it('has every webhook event by its name, and the callback on the operation that asks for it', () => {
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

  it('has the named schemas, responses and security schemes', () => {
    const { schemas, responses, securitySchemes } = document.components;
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Pet', 'PetCollection', 'Order', 'OrderPayment', 'BankCard', 'BankAccount', 'Inventory', 'Links', 'Problem']),
    );
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

  it('shows every kind of problem', () => {
    const shown = Object.values(document.components.responses).flatMap(({ content }) =>
      Object.keys(content?.['application/problem+json']?.examples ?? {}),
    );
    expect(shown.sort()).toEqual(Object.keys(PROBLEMS).sort());
  });

  it('refers to nothing that is not there', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(50);
    for (const [path, target] of references) expect([path, target]).toEqual([path, expect.anything()]);
  });

  it('has examples that meet their schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'https://pets.test/openapi.json', components: document.components });
    const asked = document.paths['/v1/orders/{id}']?.['post']?.callbacks ?? {};
    const received = [...Object.values(document.webhooks), ...Object.values(asked).flatMap((callback) => Object.values(callback))];
    const contents = [
      ...received.map((item) => item['post']?.requestBody?.content),
      ...operations().flatMap(([, { requestBody, responses }]) => [
        requestBody?.content,
        ...Object.values(responses).map(({ content }) => content),
      ]),
      ...Object.values(document.components.responses).map(({ content }) => content),
    ].flatMap((content) => Object.values(content ?? {}));
    let checked = 0;
    for (const { schema, examples } of contents) {
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"https://pets.test/openapi.json#/')) as object);
      for (const { value } of Object.values(examples)) {
        expect({ value, errors: (validate(value), validate.errors) }).toEqual({ value, errors: null });
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(30);
  });

  it('names no format that only this service knows', () => {
    const formats = new Set([...JSON.stringify(document).matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format));
    expect([...formats].sort()).toEqual(['date', 'date-time', 'int32', 'uri', 'uuid']);
  });

  it('is sent again only when it changed', async () => {
    const { headers } = await api.inject({ url: '/openapi.json' });
    expect((await api.inject({ url: '/openapi.json', headers: { 'if-none-match': String(headers['etag']) } })).statusCode).toBe(304);
  });
});
