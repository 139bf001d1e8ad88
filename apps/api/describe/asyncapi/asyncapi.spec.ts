import { Parser } from '@asyncapi/parser';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { contracts, topicsOf } from '../../../../libs/contracts/contracts.js';
import { webhookContracts } from '../../../../libs/contracts/webhooks.js';
import { referencesIn } from '../../testing/references.fixtures.js';
import { runningApi, type RunningApi } from '../../testing/running-api.fixtures.js';
import { asyncapiDocument } from './document.js';

type Reference = { readonly $ref: string };
type Example = { readonly headers: unknown; readonly payload: unknown };
type Document = {
  readonly channels: Readonly<Record<string, { readonly address: string | null; readonly messages: Readonly<Record<string, Reference>> }>>;
  readonly operations: Readonly<Record<string, { readonly action: string; readonly messages: readonly Reference[] }>>;
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly headers: object; readonly payload: object; readonly examples: readonly Example[] }>
    >;
  };
};

const document = JSON.parse(JSON.stringify(asyncapiDocument('https://pets.test', 3))) as Document;

/** Reading AsyncAPI's own parser takes a while. */
const LONG = 60_000;

const parser = new Parser();

/** What AsyncAPI's own parser has to say. */
const diagnosticsOf = async (value: object): Promise<readonly string[]> =>
  (await parser.validate(JSON.stringify(value))).map(({ message, path }) => `${path.join('.')}: ${message}`);

describe('the description of what is told', () => {
  it('is AsyncAPI that its own parser has nothing to say against', async () => expect(await diagnosticsOf(document)).toEqual([]), LONG);

  it.each([
    ['a topic of no partitions', '"partitions":6', '"partitions":0'],
    ['a message that is not there', '#/components/messages/petstore.order.placed.v1', '#/components/messages/petstore.order.lost.v1'],
    ['an operation that neither sends nor receives', '"action":"send"', '"action":"shout"'],
  ])(
    'would not pass with %s',
    async (_, text, replacement) => {
      const spoilt = JSON.stringify(document).replace(text, replacement);
      expect(await diagnosticsOf(JSON.parse(spoilt) as object)).not.toEqual([]);
    },
    LONG,
  );

  it('is of interface version 1.0.0', () => expect(document).toMatchObject({ asyncapi: '3.1.0', info: { version: '1.0.0' } }));

  it('has every topic, with where it rests and what it is kept by', () => {
    expect(Object.values(document.channels).flatMap(({ address }) => address ?? [])).toEqual(topicsOf(contracts));
    expect(document.channels['orders']).toMatchObject({
      address: 'petstore.orders.v1',
      bindings: { kafka: { topic: 'petstore.orders.v1', partitions: 6, replicas: 3 } },
    });
  });

  it('has every message of every topic, and every webhook event', () => {
    const told = Object.fromEntries(Object.entries(document.channels).map(([name, { messages }]) => [name, Object.keys(messages)]));
    expect(told).toEqual({
      ...Object.fromEntries(contracts.map(({ source, on }) => [source.slice('/petstore/'.length), Object.keys(on)])),
      webhooks: webhookContracts.map(({ eventType }) => eventType),
      orderCallbacks: ['orderCallback'],
    });
  });

  it('sends all of them, and nothing else', () => {
    const sent = Object.values(document.operations).flatMap(({ messages }) => messages.map(({ $ref }) => $ref));
    const there = Object.entries(document.channels).flatMap(([channel, { messages }]) =>
      Object.keys(messages).map((name) => `#/channels/${channel}/messages/${name}`),
    );
    expect(sent.sort()).toEqual(there.sort());
    expect(Object.values(document.operations).every(({ action }) => action === 'send')).toBe(true);
  });

  it('shows an example of every message, that meets its schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const [name, { headers, payload, examples }] of Object.entries(document.components.messages)) {
      expect([name, examples.length > 0]).toEqual([name, true]);
      for (const example of examples) {
        expect([name, ajv.validate(headers, example.headers), ajv.errors]).toEqual([name, true, null]);
        expect([name, ajv.validate(payload, example.payload), ajv.errors]).toEqual([name, true, null]);
      }
    }
  });

  it('refers to nothing that is not there', () => {
    const references = referencesIn(document);
    expect(references.length).toBeGreaterThan(50);
    for (const [path, target] of references) expect([path, target]).toEqual([path, expect.anything()]);
  });
});

describe('/asyncapi.json', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runningApi();
  });
  afterAll(() => api.app.close());

  it('is the description, for the address it is read at', async () => {
    const answer = await api.inject({ url: '/asyncapi.json' });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(answer.json()).toEqual(JSON.parse(JSON.stringify(asyncapiDocument('https://pets.test', 1))));
  });

  it('is sent again only when it changed', async () => {
    const { headers } = await api.inject({ url: '/asyncapi.json' });
    expect((await api.inject({ url: '/asyncapi.json', headers: { 'if-none-match': String(headers['etag']) } })).statusCode).toBe(304);
  });
});
