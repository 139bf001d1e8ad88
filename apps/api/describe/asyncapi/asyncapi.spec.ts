import { Parser } from '@asyncapi/parser';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { contracts, topicsOf } from '../../../../libs/contracts/contracts.js';
import { publishedMessages } from '../../../../libs/contracts/message-contract.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';
import { referencesIn } from '../../testing/references.fixtures.js';
import { runningApi, type RunningApi } from '../../testing/running-api.fixtures.js';
import { asyncapi30Document, asyncapiDocument } from './document.js';

type Reference = { readonly $ref: string };
type Example = { readonly headers: unknown; readonly payload: unknown };
type Document = {
  readonly channels: Readonly<Record<string, { readonly address: string | null; readonly messages: Readonly<Record<string, Reference>> }>>;
  readonly operations: Readonly<Record<string, { readonly action: string; readonly messages: readonly Reference[] }>>;
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly headers: Reference; readonly payload: Reference; readonly examples: readonly Example[] }>
    >;
    readonly schemas: Readonly<Record<string, object>>;
  };
};

const plain = (value: object): Document => JSON.parse(JSON.stringify(value)) as Document;
const TOPICS = { namespace: '', replicas: 3 };
const document = plain(asyncapiDocument('https://pets.test', TOPICS));
const document30 = plain(asyncapi30Document('https://pets.test', TOPICS));

const parser = new Parser();

/** Returns the errors and warnings of AsyncAPI's own parser. */
const diagnosticsOf = async (value: object): Promise<readonly string[]> =>
  (await parser.validate(JSON.stringify(value))).map(({ message, path }) => `${path.join('.')}: ${message}`);

describe('the AsyncAPI document (contract 25.4)', () => {
  it('is valid AsyncAPI 3.1.0', async () => expect(await diagnosticsOf(document)).toEqual([]));

  it('is valid AsyncAPI 3.0.0: the parser reports only that 3.1 is newer', async () =>
    expect(await diagnosticsOf(document30)).toEqual([expect.stringContaining('update to the "3.1.0" version')]));

  it.each([
    ['a topic without partitions', '"partitions":6', '"partitions":0'],
    ['a reference to a missing message', '#/components/messages/petstore.order.placed.v1', '#/components/messages/petstore.order.lost.v1'],
    ['an operation that neither sends nor receives', '"action":"send"', '"action":"shout"'],
  ])('is invalid with %s', async (_, text, replacement) => {
    const invalid = JSON.stringify(document).replace(text, replacement);
    expect(await diagnosticsOf(JSON.parse(invalid) as object)).not.toEqual([]);
  });

  it('has the interface version 1.0.0, and the same content in AsyncAPI 3.1 and 3.0', () => {
    expect(document).toMatchObject({ asyncapi: '3.1.0', info: { version: '1.0.0' } });
    expect(document30).toEqual({ ...document, asyncapi: '3.0.0' });
  });

  it('has every topic with its Kafka configuration', () => {
    expect(Object.values(document.channels).flatMap(({ address }) => address ?? [])).toEqual(topicsOf(contracts));
    expect(document.channels['orders']).toMatchObject({
      address: 'petstore.orders.v1',
      bindings: { kafka: { topic: 'petstore.orders.v1', partitions: 6, replicas: 3 } },
    });
  });

  it('has topic names with the configured namespace (contract 24.10)', () => {
    const { channels } = plain(asyncapiDocument('https://pets.test', { ...TOPICS, namespace: 'shop' }));
    expect(channels['orders']).toMatchObject({
      address: 'petstore.shop.orders.v1',
      bindings: { kafka: { topic: 'petstore.shop.orders.v1' } },
    });
  });

  it('has every message of every topic, and every webhook event', () => {
    const messages = Object.fromEntries(Object.entries(document.channels).map(([name, { messages }]) => [name, Object.keys(messages)]));
    expect(messages).toEqual({
      ...Object.fromEntries(
        contracts.map((contract) => [contract.source.slice('/petstore/'.length), publishedMessages(contract).map(([type]) => type)]),
      ),
      webhooks: webhookContracts.map(({ eventType }) => eventType),
      orderCallbacks: ['orderCallback'],
    });
  });

  it('has operations that send every message, and no other operations', () => {
    const sent = Object.values(document.operations).flatMap(({ messages }) => messages.map(({ $ref }) => $ref));
    const declared = Object.entries(document.channels).flatMap(([channel, { messages }]) =>
      Object.keys(messages).map((name) => `#/channels/${channel}/messages/${name}`),
    );
    expect(sent.sort()).toEqual(declared.sort());
    expect(Object.values(document.operations).every(({ action }) => action === 'send')).toBe(true);
  });

  it('has named schemas for the headers and the payload of every message', () => {
    for (const { headers, payload } of Object.values(document.components.messages))
      for (const { $ref } of [headers, payload]) expect($ref).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        'OrderPlacedData',
        'OrderPlacedHeaders',
        'OrderStatusChangedWebhook',
        'OrderCallback',
        'Order',
        'Pet',
        'Payment',
      ]),
    );
  });

  it('uses every named schema', () => {
    const used = new Set(referencesIn(document).map(([path]) => path));
    expect(Object.keys(document.components.schemas).filter((name) => !used.has(`components/schemas/${name}`))).toEqual([]);
  });

  it('has examples of every message, which match its schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'https://pets.test/asyncapi.json', components: { schemas: document.components.schemas } });
    const validate = ({ $ref }: Reference, value: unknown) => ajv.validate({ $ref: `https://pets.test/asyncapi.json${$ref}` }, value);
    for (const [name, { headers, payload, examples }] of Object.entries(document.components.messages)) {
      expect([name, examples.length > 0]).toEqual([name, true]);
      for (const example of examples) {
        expect([name, validate(headers, example.headers), ajv.errors]).toEqual([name, true, null]);
        expect([name, validate(payload, example.payload), ajv.errors]).toEqual([name, true, null]);
      }
    }
  });

  it('has no broken reference', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(50);
    for (const [path, target] of references) expect([path, target]).toEqual([path, expect.anything()]);
  });
});

describe.each([
  ['/asyncapi.json', asyncapiDocument],
  ['/asyncapi-3.0.json', asyncapi30Document],
])('%s', (url, expected) => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runningApi();
  });
  afterAll(() => api.app.close());

  it('returns the document for the public URL', async () => {
    const response = await api.inject({ url });
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(response.json()).toEqual(plain(expected('https://pets.test', { namespace: '', replicas: 1 })));
  });

  it('answers 304 while the document has not changed', async () => {
    const { headers } = await api.inject({ url });
    expect((await api.inject({ url, headers: { 'if-none-match': String(headers['etag']) } })).statusCode).toBe(304);
  });
});
